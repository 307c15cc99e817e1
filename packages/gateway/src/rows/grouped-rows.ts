import type { KeyValue, NoisyGroup } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { type Grouping, groupingsOf, type Plan, type RowNoise, shownKey } from "@lethe/query";
import type { RowGrouping } from "../release.ts";

/** A row of the answer before its estimates: one released group, the total over several, or the remainder of a total. */
export interface GroupedRow {
  /**
   * The key's values; NULL where one is grouped away, or not told in a remainder. With several groupings the marks of all keys follow, each 1 or 0:
   * first whether a key is grouped away, and then whether the row stands for all of its groups that are not released.
   */
  readonly key: readonly KeyValue[];
  /** The noisy integers, in the order of the plan's measurements; for a total over released groups their sums. */
  readonly values: readonly bigint[];
  readonly trees: NoisyGroup["trees"];
  readonly noise: RowNoise;
  readonly grouping: RowGrouping;
}

/** A row of one grouping: its key holds that grouping's keys alone. */
interface KeyedRow extends Pick<GroupedRow, "key" | "values" | "trees" | "noise"> {}

/**
 * Returns the rows of all groupings of a plan, in their order, made of released groups and released totals alone: post-processing. Where not all
 * groups of a grouping are released, its groups are followed, for each row of the next coarser groupings, by the remainder: the total less the
 * groups.
 */
export function groupedRows(
  groups: readonly NoisyGroup[],
  totals: readonly (readonly NoisyGroup[])[],
  plan: Plan,
): readonly GroupedRow[] {
  const { expressions } = plan.keys;
  const levels = [groups, ...totals];
  const groupings = groupingsOf(plan);
  const rows = groupings.map((grouping) => rowsOf(grouping, elementAt(levels, grouping.level), plan));
  return groupings.flatMap((grouping, at) => {
    const shown = (row: KeyedRow, kept: Grouping, over: number | null): GroupedRow => {
      const values = expressions.map((_, place) => row.key[kept.keys.indexOf(place)] ?? null);
      const isAway = expressions.map((_, place) => (grouping.keys.includes(place) ? 0 : 1));
      const isOther = isAway.map((away, place) => (away || kept.keys.includes(place) ? 0 : 1));
      return {
        ...row,
        key: plan.groupings ? [...values, ...isAway, ...isOther] : values,
        grouping: { grouping: at, over },
      };
    };
    return [
      ...elementAt(rows, at).map((row) => shown(row, grouping, null)),
      ...grouping.within.flatMap((over) =>
        leftOf(elementAt(rows, over), elementAt(groupings, over), elementAt(rows, at), grouping).map((row) =>
          shown(row, elementAt(groupings, over), over),
        ),
      ),
    ];
  });
}

/** Returns the rows of a grouping: the measured groups, or their sums where the grouping has fewer keys. */
function rowsOf({ keys, level }: Grouping, measured: readonly NoisyGroup[], plan: Plan): readonly KeyedRow[] {
  const places = level === 0 ? [...plan.keys.expressions.keys()] : elementAt(plan.totals!, level - 1).keys;
  const expressions = places.map((at) => elementAt(plan.keys.expressions, at));
  const kept = keys.map((at) => places.indexOf(at));
  const rows = new Map<string, KeyedRow>();
  for (const { key: exact, values, trees } of measured) {
    const shown = shownKey(exact, expressions);
    const key = kept.map((at) => shown[at] ?? null);
    const before = rows.get(nameOf(key));
    const draws = 1 + (before?.noise[0]?.draws ?? 0);
    rows.set(nameOf(key), {
      key,
      values: before ? before.values.map((value, at) => value + elementAt(values, at)) : values,
      trees,
      noise: [{ level, draws }],
    });
  }
  return [...rows.values()];
}

/** Returns the remainder of each total beside the groups that belong to it. */
function leftOf(
  totals: readonly KeyedRow[],
  { keys }: Grouping,
  groups: readonly KeyedRow[],
  finer: Grouping,
): readonly KeyedRow[] {
  const places = keys.map((at) => finer.keys.indexOf(at));
  const taken = new Map<string, { values: bigint[]; draws: number }>();
  for (const { key, values } of groups) {
    const name = nameOf(places.map((at) => key[at] ?? null));
    const sum = taken.get(name) ?? { values: values.map(() => 0n), draws: 0 };
    taken.set(name, {
      values: sum.values.map((value, at) => value + elementAt(values, at)),
      draws: sum.draws + 1,
    });
  }
  return totals.map((total) => {
    const released = taken.get(nameOf(total.key));
    if (!released) return total;
    return {
      ...total,
      values: total.values.map((value, at) => value - elementAt(released.values, at)),
      noise: [...total.noise, { level: finer.level, draws: released.draws }],
    };
  });
}

/** Returns a text that two keys share exactly when they are the same. */
function nameOf(key: readonly KeyValue[]): string {
  return JSON.stringify(key.map((value) => (typeof value === "bigint" ? `${value}` : [value])));
}
