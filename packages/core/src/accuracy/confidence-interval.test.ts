import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solveLinear } from "./confidence-interval.ts";

describe("solveLinear", () => {
  const number = fc.integer({ min: -50, max: 50 });
  test("holds exactly the t with from ≤ slope·t ≤ to, whatever the signs and the order of the ends", () => {
    fc.assert(
      fc.property(number, number, number, number, (slope, from, to, t) => {
        const range = solveLinear(slope, from * slope, to * slope);
        const solves = from * slope <= slope * t && slope * t <= to * slope;
        expect(range !== null && range.lo <= t && t <= range.hi).toBe(solves);
      }),
      { numRuns: 1000, seed: 1 },
    );
  });
  test("is empty where the ends have crossed", () => {
    for (const slope of [-2, 0, 2]) expect(solveLinear(slope, 1, -1)).toBeNull();
  });
});
