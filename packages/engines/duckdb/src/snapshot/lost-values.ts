import type { DuckDBConnection } from "@duckdb/node-api";
import type { TablePolicy } from "@lethe/query";
import { onlyRow } from "../only-row.ts";
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
  present: PresentValues,
  snapshot: string,
): Promise<readonly LostValues[]> {
  const names = Object.entries(columns).flatMap(([name, { nullable }]) => (nullable ? [name] : []));
  if (names.length === 0) return [];
  const [were, are] = [await present(names), await presentValues(connection, snapshot)(names)];
  return names.flatMap((column, at) => {
    const [before, after] = [were[at], are[at]];
    if (before === undefined || after === undefined) throw new Error("a column's values were not counted");
    return before > after ? [{ column, values: before - after }] : [];
  });
}

/** Counts the values of columns that are not NULL, in their order. */
export type PresentValues = (columns: readonly string[]) => Promise<readonly number[]>;

export function presentValues(connection: DuckDBConnection, relation: string): PresentValues {
  return async (columns) => {
    const counts = columns.map((name) => `count(${quoteIdentifier(name)})`);
    return (await onlyRow(connection, `SELECT ${counts.join(", ")} FROM ${relation}`)).map(Number);
  };
}
