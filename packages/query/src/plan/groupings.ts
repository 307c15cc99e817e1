import type { Plan } from "./plan.ts";

/** One of the groupings of a plan. */
export interface Grouping {
  /** Its keys, as places among the plan's. */
  readonly keys: readonly number[];
  /** How many of the measured groups add up to one of its groups. */
  readonly draws: number;
}

/**
 * The groupings that a plan answers, in order: the one by all its keys, where it does not say otherwise.
 * @example groupingsOf(plan of "… GROUP BY ROLLUP (sector)") // [{ keys: [0], draws: 1 }, { keys: [], draws: 3 }]
 */
export function groupingsOf({ groupings, keys }: Pick<Plan, "groupings" | "keys">): readonly Grouping[] {
  const { program, expressions } = keys;
  if (!groupings) return [{ keys: [...expressions.keys()], draws: 1 }];
  // All combinations of the keys' values are declared, so that the groups of a grouping are alike.
  const declared = program.kind === "public" ? program.declared : [];
  return groupings.map((set) => ({
    keys: set,
    draws: declared.length / new Set(declared.map((key) => JSON.stringify(set.map((at) => key[at])))).size,
  }));
}
