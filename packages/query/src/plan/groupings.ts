import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "./plan.ts";

/** One of the groupings of a plan. */
export interface Grouping {
  /** Its keys, as places among the plan's. */
  readonly keys: readonly number[];
  /** The measurements that its rows are read from: 0 for the plan's own, n for those of its totals[n − 1]. */
  readonly level: number;
  /** The number of groups measured there that add up to one of its rows. */
  readonly draws: number;
  /**
   * The next coarser groupings that are asked, by their places, where not all groups of this one are released. The rest of each
   * of their rows, once the released groups are subtracted, is a row of this grouping too.
   */
  readonly within: readonly number[];
}

/**
 * Returns the groupings that a plan answers, in order: the one by all its keys, where the plan names no others.
 * @example groupingsOf(plan of "… GROUP BY ROLLUP (sector)") // [{ keys: [0], level: 0, draws: 1, … }, { keys: [], level: 0, draws: 3, … }]
 */
export function groupingsOf(plan: Pick<Plan, "groupings" | "keys" | "totals">): readonly Grouping[] {
  const { groupings, keys, totals } = plan;
  if (!groupings) return [{ keys: [...keys.expressions.keys()], level: 0, draws: 1, within: [] }];
  return groupings.map((set) => {
    const level = totals ? levelOf(set, totals, keys.expressions.length) : 0;
    const declared = level === 0 ? declaredOf(plan) : elementAt(totals!, level - 1).declared;
    const isWhole = declared !== undefined;
    return {
      keys: set,
      level,
      draws: isWhole ? drawsOf(set, level === 0 ? null : elementAt(totals!, level - 1).keys, declared) : 1,
      within: isWhole ? [] : coarserThan(set, groupings),
    };
  });
}

function declaredOf({ keys: { program } }: Pick<Plan, "keys">): readonly (readonly unknown[])[] | undefined {
  return program.kind === "public" ? program.declared : undefined;
}

/** Returns the level of a grouping: that of totals by the same keys, else of declared totals whose keys hold the grouping's. */
function levelOf(set: readonly number[], totals: NonNullable<Plan["totals"]>, all: number): number {
  if (set.length === all) return 0;
  const same = totals.findIndex(({ keys }) => keys.length === set.length && isWithin(set, keys));
  return 1 + (same >= 0 ? same : totals.findIndex(({ keys, declared }) => declared && isWithin(set, keys)));
}

/** Returns how many declared groups add up to one row. All combinations of the keys' values are declared, so every row has as many. */
function drawsOf(
  set: readonly number[],
  keys: readonly number[] | null,
  declared: readonly (readonly unknown[])[],
): number {
  const places = set.map((at) => (keys === null ? at : keys.indexOf(at)));
  return declared.length / new Set(declared.map((key) => JSON.stringify(places.map((at) => key[at])))).size;
}

/** Returns the places of the largest sets that are proper subsets of a set, each set once. */
function coarserThan(set: readonly number[], all: readonly (readonly number[])[]): readonly number[] {
  const below = [...all.entries()].filter(
    ([at, other]) =>
      other.length < set.length &&
      isWithin(other, set) &&
      all.findIndex((same) => same.length === other.length && isWithin(same, other)) === at,
  );
  return below.flatMap(([at, other]) =>
    below.some(([, between]) => between.length > other.length && isWithin(other, between)) ? [] : [at],
  );
}

function isWithin(inner: readonly number[], outer: readonly number[]): boolean {
  return inner.every((at) => outer.includes(at));
}
