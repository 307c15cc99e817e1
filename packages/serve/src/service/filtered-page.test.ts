import fc from "fast-check";
import { expect, it } from "vitest";
import { filteredPage, mostLookedAt } from "./filtered-page.ts";
import type { Page } from "./service.ts";

/** A list of numbers from 0, each at its own place, and how many were read. */
function listOf(length: number) {
  const told = { read: 0 };
  const list = {
    read: async (before: number | null, most: number) => {
      const end = Math.min(before ?? length, length);
      const entries = Array.from({ length: Math.min(most, end) }, (_, at) => end - 1 - at);
      told.read += entries.length;
      return entries;
    },
    placeOf: (entry: number) => entry,
  };
  return { list, told };
}

it("gives each entry that a filter keeps once, newest first, over all pages, and looks at a bounded number for each", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6_000 }),
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(1, 2, 7, 997, 1_000_000),
      fc.boolean(),
      async (length, most, every, whole) => {
        const { list, told } = listOf(length);
        const keeps = (entry: number): boolean => entry % every === 0;
        const found: number[] = [];
        let before: string | null = null;
        do {
          told.read = 0;
          const page: Page<number> = await filteredPage(list, { before, most }, whole ? null : keeps);
          expect(page.items.length).toBeLessThanOrEqual(most);
          expect(told.read).toBeLessThanOrEqual(mostLookedAt);
          found.push(...page.items);
          before = page.before;
        } while (before !== null);
        const all = Array.from({ length }, (_, at) => length - 1 - at);
        expect(found).toEqual(whole ? all : all.filter(keeps));
      },
    ),
    { seed: 17, numRuns: 60 },
  );
});
