import { entryOf } from "../entry-of.ts";
import { mostRowsPerKey } from "../file/check-unit.ts";
import type { Policy } from "../policy.ts";
import { keyWords } from "./key-words.ts";
import type { PolicyWarning } from "./policy-warning.ts";

/** Public tables that no question can join, since nothing says how many of their rows one row may meet. */
export function lintJoins(policy: Policy): readonly PolicyWarning[] {
  return Object.entries(policy.tables).flatMap(([name, table]): PolicyWarning[] => {
    if (table.unit.kind !== "public" || table.key !== null || table.joins !== undefined) return [];
    const declared = keyWords(likelyMet(policy, name), name, policy);
    const size = `state max_rows, of at most ${mostRowsPerKey}, below ${name} in the policy`;
    return [
      {
        path: `tables.${name}`,
        message: `the policy does not say how many rows of ${name} a row may match: every question that joins it is refused`,
        fix: declared === null ? size : `${declared}, or ${size}`,
      },
    ];
  });
}

/** The columns of a public table, those first that a private table has too. */
function likelyMet(policy: Policy, table: string): readonly string[] {
  const others = Object.values(policy.tables).filter(({ unit }) => unit.kind !== "public");
  const isShared = (column: string): boolean =>
    others.some(
      ({ columns }) => Object.hasOwn(columns, column) && entryOf(columns, column).type !== "number",
    );
  const columns = Object.keys(entryOf(policy.tables, table).columns);
  return [...columns.filter(isShared), ...columns.filter((column) => !isShared(column))];
}
