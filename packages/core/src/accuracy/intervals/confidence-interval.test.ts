import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clip, hull, intersect, type Range, reported, solveLinear } from "./confidence-interval.ts";

const number = fc.integer({ min: -50, max: 50 });
const range: fc.Arbitrary<Range> = fc.option(
  fc.tuple(number, fc.nat(20)).map(([lo, width]) => ({ lo, hi: lo + width })),
);
const holds = (set: Range, t: number): boolean => set !== null && set.lo <= t && t <= set.hi;
const [inf, least] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

describe("solveLinear", () => {
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
  test("holds the one number between ends that meet", () => {
    expect(solveLinear(2, 6, 6)).toEqual({ lo: 3, hi: 3 });
    expect(solveLinear(-2, 6, 6)).toEqual({ lo: -3, hi: -3 });
  });
  test("is all numbers or none where the slope is 0: what does not move is between the ends or is not", () => {
    for (const [from, to] of [
      [-1, 1],
      [0, 1],
      [-1, 0],
      [0, 0],
    ] as const)
      expect(solveLinear(0, from, to)).toEqual({ lo: least, hi: inf });
    for (const [from, to] of [
      [1, 2],
      [-2, -1],
    ] as const)
      expect(solveLinear(0, from, to)).toBeNull();
  });
});

describe("ranges", () => {
  test("meet in exactly what both hold, a single common end included", () => {
    fc.assert(
      fc.property(range, range, number, (a, b, t) => {
        expect(holds(intersect(a, b), t)).toBe(holds(a, t) && holds(b, t));
      }),
      { numRuns: 2000, seed: 2 },
    );
    expect(intersect({ lo: 0, hi: 1 }, { lo: 1, hi: 2 })).toEqual({ lo: 1, hi: 1 });
    expect(intersect({ lo: 0, hi: 1 }, { lo: 1.5, hi: 2 })).toBeNull();
  });
  test("have as hull the smallest range around both, and the other where one is empty", () => {
    expect(hull({ lo: 0, hi: 1 }, { lo: 3, hi: 4 })).toEqual({ lo: 0, hi: 4 });
    expect(hull({ lo: 3, hi: 4 }, { lo: 0, hi: 1 })).toEqual({ lo: 0, hi: 4 });
    expect(hull({ lo: 0, hi: 9 }, { lo: 3, hi: 4 })).toEqual({ lo: 0, hi: 9 });
    expect(hull(null, { lo: 3, hi: 4 })).toEqual({ lo: 3, hi: 4 });
    expect(hull({ lo: 3, hi: 4 }, null)).toEqual({ lo: 3, hi: 4 });
    expect(hull(null, null)).toBeNull();
  });
  test("move a number outside to their nearer end, and no other", () => {
    expect([-9, -2, 0, 5, 9].map((x) => clip(x, { lo: -2, hi: 5 }))).toEqual([-2, -2, 0, 5, 5]);
  });
});

describe("the interval that is reported", () => {
  const domain = { lo: 0, hi: 10 };
  test("is the accepted range, with the estimate moved into it", () => {
    expect(reported({ lo: 2, hi: 4 }, domain, 3, 1)).toEqual({ value: 3, lower: 2, upper: 4 });
    expect(reported({ lo: 2, hi: 4 }, domain, -7, 1)).toEqual({ value: 2, lower: 2, upper: 4 });
    expect(reported({ lo: 2, hi: 4 }, domain, 99, 1)).toEqual({ value: 4, lower: 2, upper: 4 });
  });
  test("is one half-width around the nearest point of the domain where nothing is accepted, cut to the domain", () => {
    expect(reported(null, domain, 5, 2)).toEqual({ value: 5, lower: 3, upper: 7 });
    expect(reported(null, domain, 25, 3)).toEqual({ value: 10, lower: 7, upper: 10 });
    expect(reported(null, domain, -25, 3)).toEqual({ value: 0, lower: 0, upper: 3 });
    expect(reported(null, domain, 5, 99)).toEqual({ value: 5, lower: 0, upper: 10 });
  });
});
