import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../expressions/expression.ts";
import type { Plan, PlannedTotals } from "./plan.ts";

/** One of the groupings of a plan. */
export interface Grouping {
  /** The names of its keys. */
  readonly keys: readonly string[];
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
 * @example groupingsOf(plan of "… GROUP BY ROLLUP (sector)") // [{ keys: ["sector"], level: 0, draws: 1, … }, { keys: [], level: 0, draws: 3, … }]
 */
export function groupingsOf(plan: Pick<Plan, "groupings" | "keys" | "totals">): readonly Grouping[] {
  const { groupings, keys, totals } = plan;
  if (!groupings) return [{ keys: keyNames(plan), level: 0, draws: 1, within: [] }];
  return groupings.map((set) => {
    const level = totals ? levelOf(set, totals, keys.parts.length) : 0;
    const { keys: measured, declared } = measuredAt(level, plan);
    const isWhole = declared !== undefined;
    return {
      keys: set,
      level,
      draws: isWhole ? drawsOf(set, measured, declared) : 1,
      within: isWhole ? [] : coarserThan(set, groupings),
    };
  });
}

/** Returns the names of all keys of a plan. */
export function keyNames({ keys }: Pick<Plan, "keys">): readonly string[] {
  return keys.parts.map(({ name }) => name);
}

/** Returns what the keys of a plan are, in their order. */
export function keyExpressions({ keys }: Pick<Plan, "keys">): readonly Expression[] {
  return keys.parts.map(({ expression }) => expression);
}

/** Returns the keys by which a level's groups are measured: 0 for the plan's own, n for those of its totals[n − 1]; and all groups, where they are public. */
export function measuredAt(
  level: number,
  plan: Pick<Plan, "keys" | "totals">,
): Pick<PlannedTotals, "keys" | "declared"> {
  if (level > 0) return elementAt(plan.totals ?? [], level - 1);
  const { program } = plan.keys;
  return { keys: keyNames(plan), ...(program.kind === "public" ? { declared: program.declared } : {}) };
}

/** Returns the level of a grouping: that of totals by the same keys, else of declared totals whose keys hold the grouping's. */
function levelOf(set: readonly string[], totals: NonNullable<Plan["totals"]>, all: number): number {
  if (set.length === all) return 0;
  const same = totals.findIndex(({ keys }) => keys.length === set.length && isWithin(set, keys));
  return 1 + (same >= 0 ? same : totals.findIndex(({ keys, declared }) => declared && isWithin(set, keys)));
}

/** Returns how many declared groups add up to one row. All combinations of the keys' values are declared, so every row has as many. */
function drawsOf(
  set: readonly string[],
  keys: readonly string[],
  declared: readonly (readonly unknown[])[],
): number {
  const places = set.map((name) => keys.indexOf(name));
  return declared.length / new Set(declared.map((key) => JSON.stringify(places.map((at) => key[at])))).size;
}

/** Returns the places of the largest sets that are proper subsets of a set, each set once. */
function coarserThan(set: readonly string[], all: readonly (readonly string[])[]): readonly number[] {
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

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((name) => outer.includes(name));
}
