import { add, compare, one, ratio } from "@lethe/core";
import { expect, it } from "vitest";
import { total } from "../../verify/enclosures.ts";
import { exponentialLaw, noisyMaxLaw, permuteAndFlipLaw } from "./choice-laws.ts";
import type { Masses } from "./law.ts";

const scores = [0n, 1n, -2n];

it.each<[string, Masses]>([
  ["an exponential choice", exponentialLaw(scores, ratio(1n, 2n))],
  ["permute-and-flip", permuteAndFlipLaw(scores, ratio(1n, 2n))],
  ["noisy max, seen far out", noisyMaxLaw(scores, ratio(2n), 40n)],
  ["noisy max, seen at nothing but the best score", noisyMaxLaw(scores, ratio(2n), 0n)],
  ["noisy max, seen one step around it", noisyMaxLaw(scores, ratio(2n), 1n)],
])("the masses of %s hold 1 in all", (_, law) => {
  const { lo, hi } = total([...law.values()]);
  expect(law.size).toBe(3);
  expect(compare(lo, one)).toBeLessThanOrEqual(0);
  expect(compare(hi, one)).toBeGreaterThanOrEqual(0);
});

it.each([0n, 1n, 2n])(
  "noisy max seen %d steps around the best score holds what it is seen far out",
  (reach) => {
    // Noise that falls by e⁴ a step: one step less is seen.
    const near = noisyMaxLaw(scores, ratio(1n, 4n), reach);
    for (const [choice, far] of noisyMaxLaw(scores, ratio(1n, 4n), 30n)) {
      expect(compare(far.hi, add(far.lo, ratio(1n, 10n ** 9n)))).toBe(-1);
      expect(compare(near.get(choice)!.lo, far.hi)).toBeLessThanOrEqual(0);
      expect(compare(near.get(choice)!.hi, far.lo)).toBeGreaterThanOrEqual(0);
    }
  },
);
