import type { Factor, Grid, SumColumn } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberColumn, type PlanParts, planOf } from "../testing/plan-of.ts";
import { productRange } from "./product-range.ts";
import { deriveSensitivity } from "./sensitivity.ts";

interface Side {
  readonly lo: number;
  readonly width: number;
  readonly power: number;
  readonly exponent: number;
  readonly nullable: boolean;
}

const side: fc.Arbitrary<Side> = fc.record({
  lo: fc.integer({ min: -3, max: 3 }),
  width: fc.nat(3),
  power: fc.integer({ min: 1, max: 3 }),
  exponent: fc.integer({ min: -20, max: 3 }),
  nullable: fc.boolean(),
});
const some = fc.array(side, { minLength: 2, maxLength: 2 });

const factorsOf = (sides: readonly Side[]): readonly Factor[] =>
  sides.map(({ lo, width, power, exponent, nullable }, at) => ({
    argument: numberColumn(`x${at}`, nullable),
    grid: { exponent, lo: `${lo}`, hi: `${lo + width}` },
    power,
  }));

/** Every integer that a row can have. */
function productsOf(sides: readonly Side[]): readonly bigint[] {
  return sides.reduce<readonly bigint[]>(
    (all, { lo, width, power }) =>
      all.flatMap((product) =>
        Array.from({ length: width + 1 }, (_, at) => product * BigInt(lo + at) ** BigInt(power)),
      ),
    [1n],
  );
}

const least = (all: readonly bigint[]): bigint => all.reduce((a, b) => (b < a ? b : a));
const most = (all: readonly bigint[]): bigint => all.reduce((a, b) => (b > a ? b : a));
const sizeOf = (x: bigint): bigint => (x < 0n ? -x : x);

function statedGrid(sides: readonly Side[]): Grid {
  const products = productsOf(sides);
  const exponent = sides.reduce((sum, each) => sum + each.power * each.exponent, 0);
  return { exponent, lo: `${least(products)}`, hi: `${most(products)}` };
}

function derived(sides: readonly Side[], parts: Partial<PlanParts>) {
  const factors = factorsOf(sides);
  const grid = statedGrid(sides);
  const r = BigInt((parts.rows ?? 1) * (parts.limit === undefined ? 1 : (parts.groups ?? 1)));
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const sum: SumColumn = {
    kind: "sum",
    // What is said of the whole argument decides nothing: its factors are read.
    argument: numberColumn("x", false),
    grid,
    lo: `${least([lo, r * lo])}`,
    hi: `${most([hi, r * hi])}`,
    factors,
  };
  const plan = planOf({ sums: [sum], terms: [{ sum: "s0", coefficient: "1" }], ...parts });
  return deriveSensitivity(plan.measurements[0]!, plan);
}

describe("the range of a product of clamped integers", () => {
  it("is that of all products, wherever its factors lie about 0", () => {
    fc.assert(
      fc.property(some, (sides) => {
        const products = productsOf(sides);
        expect(productRange(statedGrid(sides), factorsOf(sides))).toEqual({
          low: least(products),
          high: most(products),
        });
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it("decides how far a row moves a sum: by its size, by the width where it is replaced, by both where it may be absent", () => {
    fc.assert(
      fc.property(some, fc.boolean(), (sides, filtered) => {
        const products = productsOf(sides);
        const absent = filtered || sides.some(({ nullable }) => nullable) ? [0n] : [];
        const values = [...products, ...absent];
        const far = most(values) - least(values);
        const where = filtered ? numberColumn("w", false) : null;
        const l1 = most(products.map(sizeOf));
        expect(derived(sides, { where })).toEqual({ l1, l2Squared: l1 * l1 });
        expect(derived(sides, { where, adjacency: "replace-one" })).toEqual({
          l1: far,
          l2Squared: far * far,
        });
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it("counts for every row that a unit may have", () => {
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom("groups-after-filter" as const, "rows-before-filter" as const),
        (sides, rows, limit) => {
          const unit = { kind: "column", column: "u" } as const;
          const l1 = BigInt(rows) * most(productsOf(sides).map(sizeOf));
          expect(derived(sides, { unit, rows, limit })).toEqual({ l1, l2Squared: l1 * l1 });
        },
      ),
      { numRuns: 200, seed: 5 },
    );
  });

  it("is refused where the stated grid is another than the factors make, or there are too few or too many", () => {
    const square: Side = { lo: -2, width: 5, power: 2, exponent: -3, nullable: false };
    const stated = statedGrid([square]);
    const factors = factorsOf([square]);
    expect(productRange(stated, factors)).toEqual({ low: 0n, high: 9n });
    for (const other of [
      { ...stated, lo: "-4" },
      { ...stated, hi: "8" },
      { ...stated, exponent: -3 },
    ])
      expect(() => productRange(other, factors)).toThrow(/another grid/);
    for (const power of [1, 9, 1e15])
      expect(() => productRange(stated, factorsOf([{ ...square, power }]))).toThrow(/fewer factors than 2/);
    expect(() => productRange(stated, factorsOf([{ ...square, width: -1 }]))).toThrow(/before it begins/);
  });
});
