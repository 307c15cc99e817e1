import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { farthest, minus, nearest, only, plus, scaledBy, squared, times } from "./range-arithmetic.ts";

const range = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .map(([lo, width]) => ({ lo, hi: lo + width }));
type Ends = { readonly lo: number; readonly hi: number };

/** The whole numbers of a range: the extremes of what is monotone between whole numbers lie among them, 0 included. */
const wholes = ({ lo, hi }: Ends): number[] => Array.from({ length: hi - lo + 1 }, (_, i) => lo + i);
const around = (values: readonly number[]): Ends => ({
  lo: Math.min(...values) + 0,
  hi: Math.max(...values) + 0,
});
const plain = ({ lo, hi }: Ends): Ends => ({ lo: lo + 0, hi: hi + 0 });

describe("the range of an operation", () => {
  it.each([
    ["x + y", plus, (x: number, y: number) => x + y],
    ["x − y", minus, (x: number, y: number) => x - y],
    ["x·y", times, (x: number, y: number) => x * y],
  ] as const)("%s is the smallest that holds every result", (_, of, value) => {
    fc.assert(
      fc.property(range, range, (a, b) => {
        expect(plain(of(a, b))).toEqual(around(wholes(a).flatMap((x) => wholes(b).map((y) => value(x, y)))));
      }),
      { numRuns: 500, seed: 5 },
    );
  });
  it("of one number is the smallest that holds every result, for squares, multiples and distances from 0", () => {
    fc.assert(
      fc.property(range, fc.integer({ min: -4, max: 4 }), (a, factor) => {
        expect(plain(squared(a))).toEqual(around(wholes(a).map((x) => x * x)));
        expect(plain(scaledBy(factor, a))).toEqual(around(wholes(a).map((x) => factor * x)));
        const sizes = around(wholes(a).map(Math.abs));
        expect([nearest(a), farthest(a)]).toEqual([sizes.lo, sizes.hi]);
      }),
      { numRuns: 500, seed: 6 },
    );
    expect(only(-3)).toEqual({ lo: -3, hi: -3 });
  });
});
