import type { KeyValue, NoisyGroup } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import {
  byName,
  type Grouping,
  groupingsOf,
  keyNames,
  measuredAt,
  type Plan,
  type RowNoise,
  shownKey,
} from "@lethe/query";
import type { RowKeys } from "../post/evaluate.ts";
import type { RowGrouping } from "../release.ts";

/** A row of the answer before its estimates: one released group, the total over several, or the remainder of a total. */
export interface GroupedRow extends RowKeys {
  /** The noisy integers, in the order of the plan's measurements; for a total over released groups their sums. */
  readonly values: readonly bigint[];
  readonly trees: NoisyGroup["trees"];
  readonly noise: RowNoise;
  readonly grouping: RowGrouping;
}

/** A row of one grouping: its key holds that grouping's keys alone. */
interface KeyedRow extends Pick<GroupedRow, "values" | "trees" | "noise"> {
  readonly key: readonly KeyValue[];
}

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
  const all = keyNames(plan);
  const levels = [groups, ...totals];
  const groupings = groupingsOf(plan);
  const rows = groupings.map((grouping) => rowsOf(grouping, elementAt(levels, grouping.level), plan));
  return groupings.flatMap((grouping, at) => {
    const away = new Set(all.filter((name) => !grouping.keys.includes(name)));
    const shown = (kept: Grouping, over: number | null): ((row: KeyedRow) => GroupedRow) => {
      const places = all.map((name) => [name, kept.keys.indexOf(name)] as const);
      const others = new Set(grouping.keys.filter((name) => !kept.keys.includes(name)));
      return ({ key, ...row }) => ({
        ...row,
        keys: new Map(places.map(([name, place]) => [name, key[place] ?? null])),
        away,
        others,
        grouping: { grouping: at, over },
      });
    };
    return [
      ...elementAt(rows, at).map(shown(grouping, null)),
      ...grouping.within.flatMap((over) => {
        const coarser = elementAt(groupings, over);
        return leftOf(elementAt(rows, over), coarser, elementAt(rows, at), grouping).map(
          shown(coarser, over),
        );
      }),
    ];
  });
}

/** Returns the rows of a grouping: the measured groups, or their sums where the grouping has fewer keys. */
function rowsOf({ keys, level }: Grouping, measured: readonly NoisyGroup[], plan: Plan): readonly KeyedRow[] {
  const { keys: measuredKeys } = measuredAt(level, plan);
  const parts = measuredKeys.map((name) => byName(plan.keys.parts, name));
  const kept = keys.map((name) => measuredKeys.indexOf(name));
  const rows = new Map<string, KeyedRow>();
  for (const { key: exact, values, trees } of measured) {
    const shown = shownKey(exact, parts);
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
  const places = keys.map((name) => finer.keys.indexOf(name));
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
