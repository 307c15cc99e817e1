import type { PlannedContribution } from "./plan.ts";

/** Rows that a unit may have in a group, or in all where those are bounded. With 2^40 rows, every sum stays within 127 bits. */
export const mostRowsOfUnit: number = 2 ** 20;

/** The most that one unit may contribute to the groups of a question, in the words of ./sensitivity.proof.md. */
export interface UnitContribution {
  /** r: rows that it may have in one group. */
  readonly rows: number;
  /** k: groups that it may be in. */
  readonly groups: number;
  /** Groups whose totals it changes by r rows each, at the most unfavourable. */
  readonly fullGroups: number;
}

/**
 * Rows bounded before the filter may all lie in one group, or each in a group of its own, but not both: k·r rows in all.
 * @example unitContribution({ limit: "rows-before-filter", groups: 5, rows: 3 })
 * // => { rows: 15, groups: 15, fullGroups: 1 }
 */
export function unitContribution({
  limit,
  groups,
  rows,
}: Pick<PlannedContribution, "limit" | "groups" | "rows">): UnitContribution {
  if (limit === "groups-after-filter") return { rows, groups, fullGroups: groups };
  const all = groups * rows;
  return { rows: all, groups: all, fullGroups: Math.min(groups, 1) };
}
