import type { DuckDBConnection } from "@duckdb/node-api";
import type { TablePolicy } from "@lethe/query";
import { quoteIdentifier } from "../quote.ts";

/** How many values of a column were there and are NULL in the snapshot. Exact, and so the owner's alone. */
export interface LostValues {
  readonly column: string;
  readonly values: number;
}

/**
 * The columns in which values were lost, since they are none of their column: a word where a number is due, a category that the
 * policy does not list. Columns with a default lose none: there what is no value is the default.
 */
export async function lostValues(
  connection: DuckDBConnection,
  { columns }: TablePolicy,
  source: string,
  snapshot: string,
): Promise<readonly LostValues[]> {
  const names = Object.entries(columns).flatMap(([name, { nullable }]) => (nullable ? [name] : []));
  if (names.length === 0) return [];
  const counted = async (relation: string): Promise<readonly number[]> => {
    const counts = names.map((name) => `count(${quoteIdentifier(name)})`);
    const reader = await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM ${relation}`);
    return reader.getRows()[0]!.map(Number);
  };
  const [were, are] = [await counted(source), await counted(snapshot)];
  return names.flatMap((column, at) => {
    const values = were[at]! - are[at]!;
    return values > 0 ? [{ column, values }] : [];
  });
}
