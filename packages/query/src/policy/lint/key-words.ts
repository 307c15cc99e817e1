import { entryOf } from "../entry-of.ts";
import type { Policy } from "../policy.ts";
import { flow, scalar } from "../yaml-words.ts";

/**
 * Suggests a declaration for a public table that is joined by one of these columns: that the column is its key, or how many rows
 * share a value. Null where the policy can declare nothing about any of them.
 */
export function keyWords(met: readonly string[], table: string, policy: Policy): string | null {
  const { key, columns } = entryOf(policy.tables, table);
  // The values of a column of numbers are not counted one by one.
  const column = met.find((name) => entryOf(columns, name).type !== "number");
  if (column === undefined) return null;
  const { type } = entryOf(columns, column);
  const isKey = key === null && (type === "integer" || type === "text");
  const rows = `rows_per_key: ${flow([[scalar(column), "40"]])}`;
  return isKey
    ? `declare below ${table} in the policy key: ${scalar(column)}, if no two rows share it, or ${rows} with the most that do`
    : `declare below ${table} in the policy ${rows}, with the most rows that share a value`;
}
