import type { Release } from "../format/release.ts";
import { groupsAdded } from "./groups-added.ts";
import { groupsWithin } from "./groups-within.ts";
import { rowSource } from "./row-source.ts";

/** How many draws of the noise of which measurements a row holds: the plan's own (0), or those of its totals[level − 1]. */
export type RowDraws = readonly { readonly level: number; readonly draws: number }[];

/**
 * Row ↦ the noises that it may hold. One where rows say which grouping they are of; else one for each number of groups that a row
 * may add up. Null of what is left of a total whose released groups are not all shown.
 */
export function rowDraws(release: Release): (row: number) => readonly RowDraws[] | null {
  const { groupings: marks, certificate } = release;
  const { plan } = certificate;
  if (!plan.totals || !marks) {
    const any = groupsAdded(plan).map((draws): RowDraws => [{ level: 0, draws }]);
    return () => any;
  }
  const within = groupsWithin(release);
  return (row) => {
    const { grouping, over } = marks[row]!;
    const { level, draws } = rowSource(plan.groupings![grouping]!, plan);
    if (over === null) return [[{ level, draws }]];
    const beside = within(row);
    if (beside === null) return null;
    const total = rowSource(plan.groupings![over]!, plan);
    const own = { level: total.level, draws: total.draws };
    return [beside.length === 0 ? [own] : [own, { level, draws: beside.length }]];
  };
}
