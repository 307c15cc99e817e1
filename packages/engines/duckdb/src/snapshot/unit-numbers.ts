import type { DuckDBConnection } from "@duckdb/node-api";
import { numberColumn, unitColumn } from "@lethe/query";
import { quoteIdentifier } from "../quote.ts";

/**
 * Whether units of different names have different numbers in a snapshot. Numbers are hashes of 60 bits: two units share one by
 * somebody's design alone, and are then told apart by their names.
 */
export async function unitNumbersDiffer(connection: DuckDBConnection, relation: string): Promise<boolean> {
  const [unit, number] = [unitColumn, numberColumn].map(quoteIdentifier);
  const shared = `SELECT 1 FROM ${relation} WHERE ${unit} IS NOT NULL GROUP BY ${number} HAVING min(${unit}) <> max(${unit}) LIMIT 1`;
  return (await connection.runAndReadAll(shared)).currentRowCount === 0;
}
