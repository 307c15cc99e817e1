import type { KeyValue } from "@lethe/core/mechanisms";
import { demandFinest } from "../../resolve/question/check-totals.ts";
import { declaredKeys } from "./declared-keys.ts";
import type { PublicKeyLists } from "./public-key-lists.ts";
import type { TrackedQuestion } from "./track-unit.ts";

/** A grouping that is measured beside the one by all keys. */
export interface LimitedTotals {
  /** The names of its keys, in the order of the question's. */
  readonly keys: readonly string[];
  /** All its groups, where they are public; null where keys are data, so that the totals that a released group belongs to are answered. */
  readonly declared: readonly (readonly KeyValue[])[] | null;
}

/**
 * Returns the coarser groupings that take a measurement of their own. Where keys are public there is none, since totals are sums
 * of groups that are all released. Where keys are data, each grouping with such a key has one. Groupings by public keys alone
 * share one measurement, of the groups by all their keys, and are sums of it; the total over all rows is such a grouping, by no
 * key.
 * Errors: query.unsupported where totals are asked of groups that are not asked themselves.
 */
export function limitTotals(
  { question, options }: TrackedQuestion,
  lists: PublicKeyLists,
  areData: boolean,
): readonly LimitedTotals[] {
  const { groupings, groupBy } = question;
  if (!groupings || !areData) return [];
  demandFinest(groupings, groupBy);
  const coarser = [
    ...new Map(
      groupings
        .filter((set) => set.length < groupBy.length)
        .map((set) => [JSON.stringify(set), set] as const),
    ).values(),
  ];
  // A question that selects groups, or states a floor for them, does not want every public group listed.
  const areListed = options.groupSelection !== "private" && options.minPrivacyUnitsPerGroup === null;
  const known = areListed ? lists : new Map<string, null>();
  const together = allPublic(coarser, known) ?? allPublic(coarser, new Map());
  const isListed = (set: readonly string[]): boolean =>
    together !== null && set.every((name) => together.keys.includes(name));
  const apart = coarser.filter((set) => !isListed(set)).map((set) => ({ keys: set, declared: null }));
  return together === null ? apart : [...apart, together];
}

/** Returns the groups by all keys of the sets that have public keys alone; null where there is no such set, or too many groups. */
function allPublic(sets: readonly (readonly string[])[], known: PublicKeyLists): LimitedTotals | null {
  const listed = sets.filter((set) => set.every((name) => known.get(name)));
  if (listed.length === 0) return null;
  const read = new Set(listed.flat());
  const keys = [...known.keys()].filter((name) => read.has(name));
  const declared = declaredKeys(keys.map((name) => known.get(name) ?? null));
  return declared && { keys, declared };
}
