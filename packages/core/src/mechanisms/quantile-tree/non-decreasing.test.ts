import fc from "fast-check";
import { expect, test } from "vitest";
import { nonDecreasing } from "./non-decreasing.ts";

/** The least-squares fit by its formula: max over i ≤ k of min over j ≥ k of the mean of values i to j. */
function byFormula(values: readonly number[]): number[] {
  const mean = (i: number, j: number): number =>
    values.slice(i, j + 1).reduce((total, x) => total + x, 0) / (j - i + 1);
  const places = [...values.keys()];
  return places.map((k) =>
    Math.max(...places.slice(0, k + 1).map((i) => Math.min(...places.slice(k).map((j) => mean(i, j))))),
  );
}

test("the nearest non-decreasing numbers are those of the max-min formula", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 9 }), (values) => {
      const found = [...nonDecreasing(Float64Array.from(values))];
      const due = byFormula(values);
      expect(found).toHaveLength(values.length);
      for (const [i, x] of found.entries()) expect(x).toBeCloseTo(due[i]!, 12);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("numbers that do not fall stay what they are", () => {
  const rising = [-3, -3, 0, 0.5, 7];
  expect([...nonDecreasing(Float64Array.from(rising))]).toEqual(rising);
  expect([...nonDecreasing(Float64Array.from([3, 2, 1, 9]))]).toEqual([2, 2, 2, 9]);
});
