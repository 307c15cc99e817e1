import { z } from "zod";
import { synthesisSchema } from "../synthesis/spec/synthesis-schema.ts";
import { modelFormats } from "./model-formats.ts";

/**
 * Returns the format of a model's file as JSON Schema 2020-12, for editors (`# yaml-language-server: $schema=…`): one alternative for each kind of
 * model. It is made of the formats by which files are read. Rules that JSON Schema has no words for (the target is none of the features, no more
 * components than features, a name's length in bytes), and whatever the policy says of columns, are the readers' alone.
 */
export function modelJsonSchema(): object {
  return titled("Lethe model", z.union(modelFormats));
}

/** Returns the format of a synthetic table's file in the same way; whether bins are of a column that is a number, the policy says. */
export function synthesisJsonSchema(): object {
  return titled("Lethe synthetic table", synthesisSchema);
}

function titled(title: string, format: z.ZodType): object {
  return { ...z.toJSONSchema(format, { io: "input" }), title };
}
