import { canonicalJson } from "@lethe/core";
import type { Plan } from "@lethe/query";

/** What the rows of a grouping are made of, where totals are measured beside groups. */
export interface RowSource {
  /** 0 for the groups by all keys, n for the plan's totals[n − 1]. */
  readonly level: number;
  /** How many of its measured groups a row adds up. */
  readonly draws: number;
  /** Whether all its groups are answered, so that nothing is left of a coarser one. */
  readonly isListed: boolean;
}

/** Errors: RangeError where nothing, or more than one thing, answers the grouping. */
export function rowSource(set: readonly number[], { keys, totals = [] }: Plan): RowSource {
  if (set.length === keys.expressions.length) return { level: 0, draws: 1, isListed: false };
  const found = [...totals.entries()].filter(
    ([, { keys: own, declared }]) =>
      canonicalJson(own) === canonicalJson(set) || (declared && set.every((key) => own.includes(key))),
  );
  if (found.length !== 1) throw new RangeError("a grouping that is not measured once");
  const [at, { keys: own, declared }] = found[0]!;
  if (!declared) return { level: at + 1, draws: 1, isListed: false };
  const sizes = new Map<string, number>();
  for (const key of declared) {
    const name = canonicalJson(set.map((place) => key[own.indexOf(place)] ?? null));
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  const [draws, ...others] = new Set(sizes.values());
  if (draws === undefined || others.length > 0)
    throw new RangeError("groups of one grouping add up different numbers of groups");
  return { level: at + 1, draws, isListed: true };
}

/** Whether one grouping is the next coarser one that is asked: nothing lies between the two. */
export function isNextCoarser(coarse: number, fine: number, { groupings = [] }: Plan): boolean {
  const below = (a: number, b: number): boolean =>
    groupings[a]!.length < groupings[b]!.length && groupings[a]!.every((key) => groupings[b]!.includes(key));
  if (!groupings[coarse] || !groupings[fine] || !below(coarse, fine)) return false;
  return !groupings.some((_, between) => below(coarse, between) && below(between, fine));
}
