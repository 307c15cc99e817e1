import { elementAt } from "@lethe/core/numeric";
import type { Release } from "../format/release.ts";
import { groupsWithin } from "./groups-within.ts";
import { rowSource } from "./row-source.ts";

/** How many draws of the noise of which measurements a row holds: the plan's own (0), or those of its totals[level − 1]. */
export type RowDraws = readonly { readonly level: number; readonly draws: number }[];

/**
 * Row ↦ the noise that it holds. Null of what is left of a total whose released groups are not all shown.
 */
export function rowDraws(release: Release): (row: number) => RowDraws | null {
  const { groupings: marks, certificate } = release;
  const { plan } = certificate;
  if (!plan.groupings || !marks) return () => [{ level: 0, draws: 1 }];
  const sources = plan.groupings.map((set) => rowSource(set, plan));
  const within = groupsWithin(release);
  return (row) => {
    const { grouping, over } = elementAt(marks, row);
    const { level, draws } = elementAt(sources, grouping);
    if (over === null) return [{ level, draws }];
    const beside = within(row);
    if (beside === null) return null;
    const total = elementAt(sources, over);
    const own = { level: total.level, draws: total.draws };
    return beside.length === 0 ? [own] : [own, { level, draws: beside.length }];
  };
}
