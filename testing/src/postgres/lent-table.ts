import type { Client } from "pg";
import type { RawRow, RawValue } from "../reference-evaluator.ts";

export interface TypedColumn {
  readonly name: string;
  /** The type as PostgreSQL writes it, collation included. */
  readonly type: string;
}

/**
 * Makes a table with these rows, replacing what was there, that the role `reader` may read. What a type cannot hold is NULL in it, as in a table that
 * was filled by somebody else.
 */
export async function lendTable(
  client: Client,
  table: string,
  columns: readonly TypedColumn[],
  rows: readonly RawRow[],
): Promise<void> {
  const at = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const bare = ({ type }: TypedColumn): string => type.replace(/ COLLATE .*/, "");
  const values = columns.map((column, n) => {
    const cell = `c${n}`;
    return `CASE WHEN pg_input_is_valid(${cell}, '${bare(column)}') THEN CAST(${cell} AS ${bare(column)}) END`;
  });
  const cells = columns.map((_, n) => `$${n + 1}::text[]`).join(", ");
  const names = columns.map((_, n) => `c${n}`).join(", ");
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  await client.query(`CREATE TABLE ${table} (${columns.map((c) => `${at(c.name)} ${c.type}`).join(", ")})`);
  await client.query(`GRANT SELECT ON ${table} TO reader`);
  if (rows.length === 0) return;
  await client.query(
    `INSERT INTO ${table} SELECT ${values.join(", ")} FROM unnest(${cells}) AS t(${names})`,
    columns.map(({ name }) => rows.map((row) => spelled(row[name] ?? null))),
  );
}

function spelled(value: RawValue): string | null {
  return value === null ? null : Object.is(value, -0) ? "-0" : String(value);
}
