import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { clampInteger, gridFor, toGrid } from "../../grid/grid.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { type Product, productOfFactors } from "./product-of-factors.ts";

const policyOf = (columns: Readonly<Record<string, string>>) =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  t:
    file: t.parquet
    unit: row
    columns:
${Object.entries(columns)
  .map(([name, column]) => `      ${name}: { ${column} }`)
  .join("\n")}
`);

/** An argument of SUM over these columns. */
async function sumOf(argument: string, columns: Readonly<Record<string, string>>): Promise<Expression> {
  const [sum] = resolveQuestion(
    await parseQuestion(`SELECT SUM(${argument}) FROM t`),
    policyOf(columns),
  ).aggregates;
  if (sum?.kind !== "sum") throw new Error("a sum is due");
  return sum.argument;
}

const productOf = async (
  argument: string,
  columns: Readonly<Record<string, string>>,
  rows = 1n,
): Promise<Product | null> => productOfFactors(await sumOf(argument, columns), rows);

const some = {
  x: "type: number, bounds: [-2, 100]",
  y: "type: number, bounds: [0, 10], default: 0",
  n: "type: integer, bounds: [-3, 4], default: 0",
  far: "type: number, bounds: [1000000, 1000001]",
  wild: "type: number",
};
const told = (product: Product | null) =>
  product?.factors.map(({ argument, power }) => [writeSql(argument), power]) ?? null;

describe("a product of factors", () => {
  it.each<[string, readonly (readonly [string, number])[] | null]>([
    [
      "x * y",
      [
        ["x", 1],
        ["y", 1],
      ],
    ],
    ["POWER(x, 2)", [["x", 2]]],
    ["x * x", [["x", 2]]],
    [
      "n * POWER(n * x, 2)",
      [
        ["n", 3],
        ["x", 2],
      ],
    ],
    [
      "((x - 49) / 51) * ((y - 5) / 5)",
      [
        ["(x - 49) / 51", 1],
        ["(y - 5) / 5", 1],
      ],
    ],
    // A constant scales the factor beside it, and makes none.
    [
      "2 * x * y",
      [
        ["2 * x", 1],
        ["y", 1],
      ],
    ],
    ["x * y * 2", null],
    ["x * 2", null],
    ["x", null],
    ["x + y * y", null],
    ["POWER(x, 1)", null],
    ["POWER(y, 0)", null],
    ["POWER(y, 0.5)", null],
    ["POWER(y + 1, -2)", null],
    ["CASE WHEN n > 1 THEN x * y END", null],
    // A factor that nobody bounds.
    ["wild * x", null],
    // More than 63 bits: four numbers, numbers far from 0, a number that is one point.
    ["x * y * x * y", null],
    ["far * far", null],
    ["(x * 0 + 0.1) * x", null],
    ["POWER(n, 8)", [["n", 8]]],
    ["POWER(n, 9)", null],
    ["POWER(POWER(n, 3), 3)", null],
  ])("%s", async (argument, factors) => {
    expect(told(await productOf(argument, some))).toEqual(factors);
  });

  it("has the steps of its factors multiplied, and the range of their products", async () => {
    const side = fc.record({ lo: fc.integer({ min: -3, max: 3 }), width: fc.integer({ min: 1, max: 3 }) });
    const powers = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(side, side, powers, powers, async (a, b, p, q) => {
        const column = ({ lo, width }: typeof a) => `type: integer, bounds: [${lo}, ${lo + width}]`;
        const product = await productOf(`POWER(a, ${p}) * POWER(b, ${q})`, { a: column(a), b: column(b) });
        const values = ({ lo, width }: typeof a) => Array.from({ length: width + 1 }, (_, at) => lo + at);
        const products = values(a).flatMap((i) => values(b).map((j) => i ** p * j ** q));
        expect(product?.grid).toEqual({
          exponent: 0,
          lo: `${Math.min(...products)}`,
          hi: `${Math.max(...products)}`,
        });
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("is off by what its docstring says, from rounding and from ends that are no grid points", () => {
    const bounds = fc
      .tuple(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.double({ min: 1e-3, max: 1e3, noNaN: true }))
      .map(([lo, width]): [number, number] => [lo, lo + width]);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(bounds, share), { minLength: 2, maxLength: 3 }), (drawn) => {
        const factors = drawn.map(([[lo, hi], at]) => {
          const x = Math.min(hi, lo + (hi - lo) * at);
          const grid = gridFor([lo, hi], false);
          const step = 2 ** grid.exponent;
          const i = clampInteger(toGrid(x, grid.exponent), BigInt(grid.lo), BigInt(grid.hi));
          const isNearEnd = Math.min(x - lo, hi - x) < step;
          return {
            x,
            rounded: Number(i) * step,
            off: isNearEnd ? step : step / 2,
            most: Math.max(-lo, hi, lo),
          };
        });
        const all = (of: (factor: (typeof factors)[number]) => number): number =>
          factors.map(of).reduce((product, y) => product * y, 1);
        const largest = all(({ most }) => most);
        const bound = factors.reduce((sum, { off, most }) => sum + (off * largest) / most, 0);
        expect(Math.abs(all(({ rounded }) => rounded) - all(({ x }) => x))).toBeLessThanOrEqual(
          bound + largest * 1e-15,
        );
      }),
      { numRuns: 2000, seed: 2 },
    );
  });

  it("fits 63 bits with every partial product, and 127 with the sums of a unit's rows", async () => {
    const wide = "type: integer, bounds: [0, 2147483648]";
    const columns = {
      a: wide,
      b: wide,
      two: "type: integer, bounds: [-2, 1]",
      nought: "type: integer, categories: [0]",
    };
    expect(told(await productOf("a * b", columns))).not.toBeNull();
    expect(await productOf("a * b * two", columns)).toBeNull();
    expect(await productOf("a * b * two * nought", columns)).toBeNull();
    expect(told(await productOf("a * b", columns, 2n ** 11n - 1n))).not.toBeNull();
    expect(await productOf("a * b", columns, 2n ** 11n)).toBeNull();
  });

  it("is a square where a factor comes twice, which is never below 0", async () => {
    expect((await productOf("(n + 1) * (n + 1)", some))?.grid).toEqual({ exponent: 0, lo: "0", hi: "25" });
    expect((await productOf("(n + 1) * (n + 0)", some))?.grid).toEqual({ exponent: 0, lo: "-15", hi: "20" });
  });

  it("may be NULL just where a factor may, as its argument says", async () => {
    for (const [argument, nullable] of [
      ["y * n", false],
      ["x * n", true],
      ["POWER(n, 2)", false],
      ["POWER(x, 2) * y", true],
      ["(n / (y + 1)) * n", false],
    ] as const) {
      const sum = await sumOf(argument, some);
      const factors = productOfFactors(sum, 1n)?.factors;
      expect(
        factors?.some((factor) => factor.argument.domain.nullable),
        argument,
      ).toBe(nullable);
      expect(sum.domain.nullable, argument).toBe(nullable);
    }
  });
});
