import fc from "fast-check";
import { expect, it } from "vitest";
import { duckdb } from "../../dialects/index.ts";
import { compareStored } from "./compare-stored.ts";

const operators = {
  "=": (a: number, b: number) => a === b,
  "<>": (a: number, b: number) => a !== b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;

/** "(i < (-3))" over an integer, as every engine reads it. */
function holds(text: string, i: bigint): boolean {
  const [, operator, right] = /^\(i (\S+) (?:i|\(?(-?\d+)\)?)\)$/.exec(text)!;
  const bound = right === undefined ? i : BigInt(right);
  return operators[operator as keyof typeof operators](i < bound ? -1 : i > bound ? 1 : 0, 0);
}

it("holds for the integer where it holds for the number", () => {
  const cases = { grid: 0, left: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(operators) as (keyof typeof operators)[])),
      fc.integer({ min: -40, max: 40 }),
      fc.integer({ min: -60, max: 30 }),
      fc.oneof(
        fc.double({ noNaN: true }),
        fc.integer({ min: -80, max: 80 }).map((x) => x / 4),
      ),
      (operator, i, exponent, factor) => {
        const constant = factor * 2 ** exponent;
        const text = compareStored("i", operator, constant, exponent, duckdb.write);
        cases[text === null ? "left" : "grid"] += 1;
        if (text !== null)
          expect(holds(text, BigInt(i))).toBe(operators[operator](i * 2 ** exponent, constant));
      },
    ),
    { numRuns: 3000 },
  );
  expect(cases.grid).toBeGreaterThan(1000);
  expect(compareStored("i", "<", Number.POSITIVE_INFINITY, 0, duckdb.write)).toBeNull();
});
