import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gridFor, gridOf, roundHalfEven, toGrid } from "./grid.ts";

const bounds = fc
  .tuple(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .filter(([a, b]) => a !== b && Math.max(Math.abs(a), Math.abs(b)) > 1e-280)
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

describe("grids", () => {
  it("keeps every grid value within the bounds, in exact doubles", () => {
    fc.assert(
      fc.property(bounds, ([lo, hi]) => {
        const grid = gridFor([lo, hi], false);
        const step = 2 ** grid.exponent;
        expect(BigInt(grid.lo) <= BigInt(grid.hi)).toBe(true);
        for (const end of [grid.lo, grid.hi]) {
          expect(Math.abs(Number(end))).toBeLessThanOrEqual(2 ** 53);
          expect(Number(end) * step).toBeGreaterThanOrEqual(lo);
          expect(Number(end) * step).toBeLessThanOrEqual(hi);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("has 2^20 to 2^21 levels where doubles are fine enough", () => {
    for (const [lo, hi] of [
      [0, 60],
      [-1e-9, 1e-9],
      [1e6, 1e6 + 1],
      [-1e200, 1e200],
    ] as const) {
      const grid = gridFor([lo, hi], false);
      const levels = BigInt(grid.hi) - BigInt(grid.lo);
      expect(levels).toBeGreaterThanOrEqual(2n ** 20n - 1n);
      expect(levels).toBeLessThanOrEqual(2n ** 21n);
    }
  });

  it("keeps integers as they are up to 2^31 levels, and puts wider ones on a coarser grid", () => {
    expect(gridFor([18, 95], true)).toEqual({ exponent: 0, lo: "18", hi: "95" });
    expect(gridFor([0, 2 ** 31], true).exponent).toBe(0);
    expect(gridFor([0, 2 ** 31 + 1], true).exponent).toBeGreaterThan(0);
  });

  it("stores integer columns without loss, and unbounded numbers on no grid", () => {
    const integer = {
      type: "integer",
      nullable: true,
      default: null,
      categories: null,
      bounds: null,
    } as const;
    expect(gridOf({ ...integer, bounds: [0, 2 ** 40] })).toEqual({ exponent: 0, lo: "0", hi: `${2 ** 40}` });
    expect(gridOf({ ...integer, categories: [7, 3, 5] })).toEqual({ exponent: 0, lo: "3", hi: "7" });
    expect(gridOf({ type: "number", nullable: true, default: null, bounds: null })).toBeNull();
    expect(
      gridOf({ type: "text", nullable: true, default: null, categories: null, maxLength: 9 }),
    ).toBeNull();
  });

  it("represents a single point exactly", () => {
    for (const x of [0.1, -3e250, 7, 0]) {
      const grid = gridFor([x, x], false);
      expect([Number(grid.lo) * 2 ** grid.exponent, grid.hi]).toEqual([x, grid.lo]);
    }
  });

  it("rounds half to even", () => {
    expect(
      [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 0.75, -0.25]
        .map(roundHalfEven)
        .map((x) => x + 0),
    ).toEqual([0, 2, 2, 0, -2, -2, 0, 1, 0]);
    expect(toGrid(0.75, -1)).toBe(2n);
  });
});
