import { LetheError } from "@lethe/core";
import { parameterValue, readBinary, type Value } from "../../catalog/index.ts";
import { decode } from "../frames/body-reader.ts";
import type { Format } from "../frames/client-message.ts";
import type { CatalogQuery } from "../session/catalog-query.ts";

/** Reads the value of a parameter of a query of the catalog. Errors: query.parameter, query.type, query.unsupported. */
export function catalogParameter(
  name: string,
  bytes: Buffer | null,
  format: Format,
  at: number,
  { prepared, catalog, session }: CatalogQuery,
): Value {
  const type = prepared.parameters[at];
  if (bytes === null || type === undefined) return null;
  if (format === "text") return parameterValue(decode(bytes), type, catalog, session);
  try {
    return readBinary(bytes, type, { catalog, session });
  } catch (error) {
    if (error instanceof LetheError) throw error;
    throw new LetheError("query.parameter", `the value of ${name} has too few bytes for its type`, {
      fix: "send it as text",
    });
  }
}
