import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { placeOf } from "./named.ts";

/** The groups that the rows of a grouping are made of. */
export interface RowSource {
  /** 0 for the groups by all keys, n for the plan's totals[n − 1]. */
  readonly level: number;
  /** The number of its measured groups that a row adds up. */
  readonly draws: number;
  /** Whether all its groups are answered, so that a coarser total has no remainder. */
  readonly isListed: boolean;
}

/**
 * Returns the source of a grouping's rows. Where all groups are listed, coarser groupings add them up; else those are measured beside them.
 * Errors: RangeError where nothing, or more than one thing, answers the grouping, or its rows add up different numbers of groups.
 */
export function rowSource(set: readonly string[], { keys, totals = [] }: Plan): RowSource {
  if (keys.program.kind === "public" && totals.length === 0) {
    const places = set.map((key) => placeOf(keys.parts, key));
    return { level: 0, draws: drawsOf(places, keys.program.declared), isListed: true };
  }
  if (set.length === keys.parts.length) return { level: 0, draws: 1, isListed: false };
  const found = [...totals.entries()].filter(
    ([, { keys: own, declared }]) =>
      canonicalJson(own) === canonicalJson(set) || (declared && set.every((key) => own.includes(key))),
  );
  if (found.length !== 1) throw new RangeError("a grouping that is not measured once");
  const [at, { keys: own, declared }] = elementAt(found, 0);
  if (!declared) return { level: at + 1, draws: 1, isListed: false };
  const places = set.map((key) => own.indexOf(key));
  return { level: at + 1, draws: drawsOf(places, declared), isListed: true };
}

type Declared = Extract<Plan["keys"]["program"], { readonly kind: "public" }>["declared"];

/** Returns the number of listed groups that agree in some places of their keys. */
function drawsOf(places: readonly number[], declared: Declared): number {
  const sizes = new Map<string, number>();
  for (const key of declared) {
    const name = canonicalJson(places.map((place) => key[place] ?? null));
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  const [draws, ...others] = new Set(sizes.values());
  if (draws === undefined || others.length > 0)
    throw new RangeError("groups of one grouping add up different numbers of groups");
  return draws;
}

/** Whether one grouping is the next coarser one that is asked: nothing lies between the two. */
export function isNextCoarser(coarse: number, fine: number, { groupings = [] }: Plan): boolean {
  const below = (a: number, b: number): boolean =>
    elementAt(groupings, a).length < elementAt(groupings, b).length &&
    elementAt(groupings, a).every((key) => elementAt(groupings, b).includes(key));
  if (!groupings[coarse] || !groupings[fine] || !below(coarse, fine)) return false;
  return !groupings.some((_, between) => below(coarse, between) && below(between, fine));
}
