import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";

/** Runs a statement whose result is a single row, and returns that row. Throws where there is none. */
export async function onlyRow(connection: DuckDBConnection, sql: string): Promise<readonly DuckDBValue[]> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  if (row === undefined) throw new Error("a statement gave no row where it gives one");
  return row;
}
