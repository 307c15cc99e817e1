import { runStatement, type TrinoStatement } from "./client/run-statement.ts";
import type { TrinoColumn, TrinoRow } from "./client/trino-page.ts";

/**
 * Runs a statement and hands on its rows one by one as they come. `readerOf` makes a reader of the result's columns, also of a result without rows.
 * When the reader throws, the statement ends. Errors: the reader's; those of runStatement.
 */
export async function eachRow(
  statement: TrinoStatement,
  readerOf: (columns: readonly TrinoColumn[]) => (row: TrinoRow) => void,
): Promise<void> {
  let read: ((row: TrinoRow) => void) | null = null;
  for await (const { columns, rows } of runStatement(statement)) {
    if (columns !== null) read ??= readerOf(columns);
    for (const row of rows) read?.(row);
  }
  if (read === null) throw new Error("a statement ended without columns");
}

/** Returns the rows of a statement that has few. */
export async function allRows(statement: TrinoStatement): Promise<readonly TrinoRow[]> {
  const rows: TrinoRow[] = [];
  await eachRow(statement, () => (row) => rows.push(row));
  return rows;
}
