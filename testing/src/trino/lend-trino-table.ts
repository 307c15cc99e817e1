import { trino } from "@lethe/query";
import type { RawRow, RawValue } from "../reference-evaluator.ts";
import { askTrino } from "./ask-trino.ts";

/** Makes a table with these rows, replacing what was there. What a type cannot hold is NULL in it, as in a table that was filled by somebody else. */
export async function lendTrinoTable(
  table: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  rows: readonly RawRow[],
): Promise<void> {
  const cells = columns.map((_, n) => `c${n}`);
  const read = columns.map(
    ({ name, type }, n) => `TRY_CAST(CAST(c${n} AS varchar) AS ${type}) AS ${trino.identifier(name)}`,
  );
  const written = (rows.length === 0 ? [{}] : rows).map(
    (row: RawRow) => `(${columns.map(({ name }) => literal(row[name] ?? null)).join(", ")})`,
  );
  await askTrino(`DROP TABLE IF EXISTS ${table}`);
  await askTrino(
    `CREATE TABLE ${table} AS SELECT ${read.join(", ")} FROM (VALUES ${written.join(", ")}) AS t(${cells.join(", ")})${rows.length === 0 ? " WHERE 1 = 0" : ""}`,
    "UTC",
  );
}

function literal(value: RawValue): string {
  return value === null ? "NULL" : trino.text(Object.is(value, -0) ? "-0" : String(value));
}
