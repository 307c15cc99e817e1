import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import type { TrinoAddress } from "./client/trino-address.ts";

/** Catalog, schema and name of a relation. */
export type TrinoRelation = readonly [catalog: string, schema: string, name: string];

/**
 * Returns the relation that the policy means: catalog.schema.table, of which the URL may say the catalog and the schema; the table's own name unless
 * the policy states one. Trino's names have no capitals. Errors: engine.source where nobody says the catalog or the schema.
 */
export function relationName(
  table: string,
  { relation }: Pick<TablePolicy, "relation">,
  { catalog, schema }: Pick<TrinoAddress, "catalog" | "schema">,
): TrinoRelation {
  const [name, ownSchema = schema, ownCatalog = catalog, ...more] = (relation?.split(".") ?? [table])
    .map((part) => part.toLowerCase())
    .reverse();
  if (name && ownSchema && ownCatalog && more.length === 0)
    return [ownCatalog.toLowerCase(), ownSchema.toLowerCase(), name];
  throw new LetheError("engine.source", `the relation of ${table} has no catalog or no schema`, {
    fix: "write relation: catalog.schema.table in the policy, or end the URL with /catalog/schema",
    fields: { table },
  });
}
