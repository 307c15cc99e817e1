import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import { quoteText } from "./quote.ts";

/**
 * Refuses, unless the policy says `trusted: true`, a relation of a .duckdb file that is a view, or has generated columns, which
 * DuckDB computes when they are read: reading may raise because of one row, or give a row the values of another's.
 * Errors: engine.untrusted.
 */
export async function checkComputed(
  connection: DuckDBConnection,
  table: string,
  { trusted }: TablePolicy,
  relation: readonly string[],
): Promise<void> {
  if (trusted || relation.length !== 3) return;
  const [catalog, schema, name] = relation.map((part) => quoteText(part.toLowerCase()));
  // The engine's own views, over Parquet files, lie in memory.
  const at = `lower(database_name) = ${catalog} AND database_name <> 'memory' AND lower(schema_name) = ${schema}`;
  const reader = await connection.runAndReadAll(
    `SELECT 'is a view' FROM duckdb_views() WHERE ${at} AND lower(view_name) = ${name} UNION ALL ` +
      `SELECT 'has generated columns' FROM duckdb_tables() WHERE ${at} AND lower(table_name) = ${name} AND contains(sql, 'GENERATED ALWAYS AS')`,
  );
  const [found] = reader.getRows();
  if (!found) return;
  throw new LetheError("engine.untrusted", `the relation of ${table} ${String(found[0])}`, {
    fix: `name a table that stores these rows; or, if no row can make reading it fail and no row depends on those of another unit, write trusted: true below ${table} in the policy`,
    fields: { table },
  });
}
