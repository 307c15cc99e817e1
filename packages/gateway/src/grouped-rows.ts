import type { KeyValue, NoisyGroup } from "@lethe/core";
import { groupingsOf, type Plan, shownKey } from "@lethe/query";

/** A row of the answer before its estimates: of one released group, or the total over several. */
export interface GroupedRow {
  /** Grouped away is NULL; behind all keys of several groupings, of each whether it is grouped away: 1 or 0. */
  readonly key: readonly KeyValue[];
  /** The noisy integers, in the order of the plan's measurements; of a total their sums. */
  readonly values: readonly bigint[];
  readonly trees: NoisyGroup["trees"];
  /** How many released groups are added up. */
  readonly draws: number;
}

/** The rows of all groupings of a plan, in their order, made of released groups alone: post-processing. */
export function groupedRows(groups: readonly NoisyGroup[], plan: Plan): readonly GroupedRow[] {
  const { expressions } = plan.keys;
  const shown = groups.map((group) => ({ ...group, key: shownKey(group.key, expressions) }));
  if (!plan.groupings) return shown.map((group) => ({ ...group, draws: 1 }));
  return groupingsOf(plan).flatMap(({ keys }) => {
    const isKept = expressions.map((_, at) => keys.includes(at));
    const rows = new Map<string, GroupedRow>();
    for (const { key, values, trees } of shown) {
      const kept = key.map((value, at) => (isKept[at] ? value : null));
      const name = JSON.stringify(kept.map((value) => (typeof value === "bigint" ? `${value}` : [value])));
      const before = rows.get(name);
      rows.set(name, {
        key: [...kept, ...isKept.map((is) => (is ? 0 : 1))],
        values: before ? before.values.map((value, at) => value + values[at]!) : values,
        trees,
        draws: (before?.draws ?? 0) + 1,
      });
    }
    return [...rows.values()];
  });
}
