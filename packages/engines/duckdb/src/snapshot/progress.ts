import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBValue } from "@duckdb/node-api";

/**
 * Hears, several times a second, which step an import or an index is at and which share of it is done, from 0 to 1. How far they are follows from the data: it is for the owner
 * alone.
 */
export type Progress = (step: string, share: number) => void;

const milliseconds = 200;

/** Runs one statement, and tells which share of it is done until it ends. */
export async function runTelling(
  connection: DuckDBConnection,
  { sql, values }: { readonly sql: string; readonly values?: DuckDBValue[] },
  tell: (share: number) => void,
): Promise<DuckDBMaterializedResult> {
  await connection.run("SET enable_progress_bar = true");
  await connection.run("SET enable_progress_bar_print = false");
  let most = 0;
  tell(most);
  const timer = setInterval(() => {
    // DuckDB says -1 before it knows.
    const share = Math.min(1, connection.progress.percentage / 100);
    if (share <= most) return;
    most = share;
    tell(share);
  }, milliseconds);
  try {
    const result = await connection.run(sql, values);
    tell(1);
    return result;
  } finally {
    clearInterval(timer);
    await connection.run("SET enable_progress_bar = false");
  }
}
