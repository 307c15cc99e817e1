import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { expressions, onGrids, row } from "../../resolve/testing/random-expressions.ts";
import { resolvedSum } from "../../resolve/testing/resolved-sum.ts";
import { sizeOf } from "./size.ts";

/** Doubles of at least 2^53 steps are multiples of the step, and their quotient may overflow. */
const isMultiple = (value: number, exponent: number): boolean =>
  Math.abs(value) >= 2 ** (exponent + 53) || Number.isInteger(value / 2 ** exponent);

describe("the size of an expression", () => {
  // A size that is claimed too large leaves out a guard, and PostgreSQL then raises on a row of somebody's.
  it("is kept by every value, whatever the row", () => {
    let claims = 0;
    fc.assert(
      fc.property(expressions.number, fc.array(row, { minLength: 3, maxLength: 3 }), (expression, rows) => {
        const { quantum, least } = sizeOf(expression);
        for (const value of rows.map((raw) => evaluate(expression, onGrids(raw)))) {
          if (typeof value !== "number" || value === 0) continue;
          expect(Math.abs(value)).toBeGreaterThanOrEqual(2 ** least);
          expect(isMultiple(value, quantum)).toBe(true);
          if (quantum > -1074 || least > -1074) claims += 1;
        }
      }),
      { numRuns: 4000, seed: 7 },
    );
    expect(claims).toBeGreaterThan(2000);
  });

  // Claimed too small, a guard would be paid for that no row needs.
  it.each<[string, number, number]>([
    ["wage", -15, -15],
    ["wage + 1", -15, -1],
    ["wage - balance", -17, -17],
    ["wage * balance", -32, -32],
    ["wage / age", -1074, -24],
    ["LEAST(wage, 2)", -15, -15],
    ["GREATEST(wage, balance)", -17, -17],
    ["COALESCE(wage, 1)", -15, -15],
    ["CASE WHEN married THEN wage ELSE 0.25 END", -15, -15],
    ["SQRT(wage)", -1074, -9],
    ["FLOOR(wage)", 0, 0],
    ["SIGN(balance)", 0, 0],
    ["LENGTH(name)", 0, 0],
    ["CAST(anything AS bigint)", 0, 0],
    ["EXP(balance)", -1074, -9],
    ["anything", -1074, -1074],
  ])("%s: multiples of 2^%i, and 0 or at least 2^%i", async (text, quantum, least) => {
    expect(sizeOf(await resolvedSum(text))).toEqual({ quantum, least });
  });
});
