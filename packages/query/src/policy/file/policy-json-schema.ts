import { z } from "zod";
import { policySchema } from "./policy-schema.ts";

/**
 * The policy format as JSON Schema 2020-12, for editors (`# yaml-language-server: $schema=…`). It states structure;
 * rules between keys (a default within its bounds, a sub-cap within the cap) are checked by readPolicy alone.
 */
export function policyJsonSchema(): object {
  const schema = z.toJSONSchema(policySchema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.exact !== true) return;
      delete jsonSchema.exact;
      delete jsonSchema.type;
      jsonSchema.anyOf = [
        { type: "number" },
        { type: "string", pattern: "^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$|^[0-9]+/[0-9]+$" },
      ];
    },
  });
  return { ...schema, title: "Lethe policy" };
}
