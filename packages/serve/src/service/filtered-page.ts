import { placeOf } from "./place-of.ts";
import type { Page, PageAsked } from "./service.ts";

/** The most entries that one page looks at: a filter that nothing meets costs no more than this. */
export const mostLookedAt = 2_000;
/** The entries that are read at once. */
const atOnce = 500;

/** A list that is read from its newest entry on. */
export interface ReadBackwards<T> {
  /** At most `most` entries before a place, the newest first; null begins at the end. */
  read(before: number | null, most: number): Promise<readonly T[]>;
  /** The place of an entry. */
  placeOf(entry: T): number;
}

/**
 * Returns the next entries that a filter keeps, of a part of the list whose length has a bound: so a page may hold fewer than it has room for, and none, and is not the last while it has a `before`.
 * Errors: parameter.invalid.
 */
export async function filteredPage<T>(
  list: ReadBackwards<T>,
  { before, most }: PageAsked,
  keeps: ((entry: T) => boolean) | null,
): Promise<Page<T>> {
  const items: T[] = [];
  let place = placeOf(before);
  for (let looked = 0; looked < mostLookedAt; ) {
    const size = keeps === null ? most : Math.min(atOnce, mostLookedAt - looked);
    const entries = await list.read(place, size);
    for (const entry of entries) {
      place = list.placeOf(entry);
      if (keeps === null || keeps(entry)) items.push(entry);
      if (items.length === most) return { items, before: place > 0 ? String(place) : null };
    }
    if (entries.length < size) return { items, before: null };
    looked += entries.length;
  }
  return { items, before: place === null || place === 0 ? null : String(place) };
}
