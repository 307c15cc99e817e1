import { describe, expect, it, test } from "vitest";
import { expressionBuilder } from "../build/build-expression.ts";
import type { NumberDomain } from "../domain.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import { applyOperator } from "./apply-operator.ts";
import type { Scalar } from "./domains.ts";

const build = expressionBuilder();
/** A column of numbers between bounds; whole ones where both are. */
function numbers(lo: number, hi: number, given: Partial<NumberDomain> = {}): Expression {
  const integer = Number.isInteger(lo) && Number.isInteger(hi);
  const domain: NumberDomain = {
    type: "number",
    bounds: [lo, hi],
    integer,
    nullable: false,
    values: null,
    ...given,
  };
  return { kind: "column", name: "x", domain };
}
const fraction = (lo: number, hi: number, given: Partial<NumberDomain> = {}): Expression =>
  numbers(lo, hi, { integer: false, ...given });
const unbounded = (integer: boolean): Expression => numbers(0, 0, { bounds: null, integer });
const listed = (...values: number[]): Expression =>
  numbers(Math.min(...values), Math.max(...values), { values, integer: values.every(Number.isInteger) });
const missing = { nullable: true };

function domainOf(operator: Operator, ...args: (Expression | number)[]): NumberDomain {
  const { domain } = build.call(
    operator,
    args.map((arg) => (typeof arg === "number" ? build.literal(arg) : arg)),
  );
  if (domain.type !== "number") throw new Error("a number is due");
  return domain;
}
const boundsOf = (operator: Operator, ...args: (Expression | number)[]): unknown => {
  const { bounds, integer, nullable } = domainOf(operator, ...args);
  return [bounds, integer ? "whole" : "fractions", nullable ? "or NULL" : "never NULL"];
};

describe("the bounds of", () => {
  test.each<[Operator, (Expression | number)[], unknown]>([
    ["+", [numbers(-1, 2), numbers(3, 5)], [[2, 7], "whole", "never NULL"]],
    ["+", [numbers(-1, 2), fraction(3, 5, missing)], [[2, 7], "fractions", "or NULL"]],
    ["+", [numbers(-1, 2), unbounded(true)], [null, "fractions", "or NULL"]],
    ["+", [unbounded(true), numbers(-1, 2)], [null, "fractions", "or NULL"]],
    ["-", [numbers(-1, 2), numbers(3, 5)], [[-6, -1], "whole", "never NULL"]],
    ["*", [numbers(-1, 2), numbers(-3, 5)], [[-6, 10], "whole", "never NULL"]],
    ["negate", [fraction(-1, 2)], [[-2, 1], "fractions", "never NULL"]],
    ["negate", [unbounded(true)], [null, "whole", "never NULL"]],
    ["negate", [numbers(0, 2, missing)], [[-2, 0], "whole", "or NULL"]],
    // By an integer that may be 0, by what is away from it on either side, and by nothing but it.
    ["/", [fraction(2, 6), numbers(-2, 4)], [[-6, 6], "fractions", "or NULL"]],
    ["/", [fraction(2, 6), numbers(0, 4)], [[0.5, 6], "fractions", "or NULL"]],
    ["/", [fraction(2, 6), numbers(-4, 0)], [[-6, -0.5], "fractions", "or NULL"]],
    ["/", [fraction(2, 6), numbers(1, 4)], [[0.5, 6], "fractions", "never NULL"]],
    ["/", [fraction(2, 6), numbers(-4, -1)], [[-6, -0.5], "fractions", "never NULL"]],
    ["/", [fraction(2, 6), fraction(0.5, 4)], [[0.5, 12], "fractions", "never NULL"]],
    ["/", [fraction(2, 6), fraction(0, 4)], [null, "fractions", "or NULL"]],
    ["/", [fraction(2, 6), fraction(-4, 0)], [null, "fractions", "or NULL"]],
    ["/", [fraction(2, 6), numbers(0, 0)], [null, "fractions", "or NULL"]],
    ["/", [fraction(2, 6), unbounded(true)], [[-6, 6], "fractions", "or NULL"]],
    ["/", [fraction(2, 6), unbounded(false)], [null, "fractions", "or NULL"]],
    ["/", [unbounded(true), numbers(1, 4)], [null, "fractions", "or NULL"]],
    ["/", [fraction(2, 6, missing), numbers(1, 4)], [[0.5, 6], "fractions", "or NULL"]],
    ["/", [fraction(2, 6), numbers(1, 4, missing)], [[0.5, 6], "fractions", "or NULL"]],
    // No larger than the divisor, nor than what is divided, and of its sign.
    ["%", [numbers(0, 9), numbers(1, 4)], [[0, 4], "whole", "never NULL"]],
    ["%", [numbers(0, 3), numbers(5, 8)], [[0, 3], "whole", "never NULL"]],
    ["%", [numbers(-9, 0), numbers(1, 4)], [[-4, 0], "whole", "never NULL"]],
    ["%", [numbers(-9, 9), numbers(-4, -1)], [[-4, 4], "whole", "never NULL"]],
    ["%", [numbers(0, 9), numbers(-1, 4)], [[0, 4], "whole", "or NULL"]],
    ["%", [numbers(0, 9), fraction(0.5, 4)], [[0, 4], "fractions", "never NULL"]],
    ["%", [numbers(0, 9, missing), numbers(1, 4)], [[0, 4], "whole", "or NULL"]],
    ["%", [unbounded(true), numbers(1, 4)], [[-4, 4], "whole", "never NULL"]],
    ["%", [numbers(0, 9), unbounded(true)], [[0, 9], "whole", "or NULL"]],
    ["%", [unbounded(true), unbounded(true)], [null, "fractions", "or NULL"]],
    ["abs", [numbers(-3, 2)], [[0, 3], "whole", "never NULL"]],
    ["abs", [fraction(-3, -1, missing)], [[1, 3], "fractions", "or NULL"]],
    ["abs", [fraction(1, 3)], [[1, 3], "fractions", "never NULL"]],
    ["abs", [unbounded(false)], [null, "fractions", "never NULL"]],
    ["sign", [fraction(-3, -1)], [[-1, -1], "whole", "never NULL"]],
    ["sign", [fraction(0, 7)], [[0, 1], "whole", "never NULL"]],
    [
      "sign",
      [numbers(0, 0, { bounds: null, integer: false, nullable: true })],
      [[-1, 1], "whole", "or NULL"],
    ],
    ["floor", [fraction(-1.5, 2.5)], [[-2, 2], "whole", "never NULL"]],
    ["ceil", [fraction(-1.5, 2.5)], [[-1, 3], "whole", "never NULL"]],
    ["trunc", [fraction(-1.5, 2.5, missing)], [[-1, 2], "whole", "or NULL"]],
    ["floor", [unbounded(false)], [null, "fractions", "or NULL"]],
    ["round", [fraction(-1.5, 2.4)], [[-2, 2], "whole", "never NULL"]],
    ["round", [fraction(0.4, 2.5, missing)], [[0, 3], "whole", "or NULL"]],
    ["round", [numbers(3, 8), 2], [[3, 8], "whole", "never NULL"]],
    ["round", [unbounded(false)], [null, "fractions", "or NULL"]],
    ["sqrt", [fraction(4, 9)], [[2, 3], "fractions", "never NULL"]],
    ["sqrt", [fraction(-4, 9)], [[0, 3], "fractions", "or NULL"]],
    ["sqrt", [fraction(0, 9)], [[0, 3], "fractions", "never NULL"]],
    ["sqrt", [unbounded(false)], [null, "fractions", "or NULL"]],
    ["power", [unbounded(false), 2], [null, "fractions", "or NULL"]],
    ["power", [fraction(0, 2), -1], [null, "fractions", "or NULL"]],
    // What is never NULL caps the result; what may be NULL may drop out.
    ["least", [numbers(0, 9), numbers(2, 5)], [[0, 5], "whole", "never NULL"]],
    ["least", [numbers(0, 9), numbers(2, 5, missing)], [[0, 9], "whole", "never NULL"]],
    ["least", [numbers(0, 9, missing), numbers(2, 5, missing)], [[0, 9], "whole", "or NULL"]],
    ["least", [numbers(0, 9), fraction(-2, 5)], [[-2, 5], "fractions", "never NULL"]],
    ["least", [numbers(0, 9), unbounded(true)], [null, "fractions", "never NULL"]],
    ["greatest", [numbers(0, 9), numbers(2, 15)], [[2, 15], "whole", "never NULL"]],
    ["greatest", [numbers(0, 9), numbers(2, 15, missing)], [[0, 15], "whole", "never NULL"]],
    ["greatest", [numbers(0, 9, missing), numbers(2, 15, missing)], [[0, 15], "whole", "or NULL"]],
    // Two tests of an end that is 0, one of every other.
    ["cell-among", [fraction(-8, 8, missing), -1, 0, 1], [[0, 4], "whole", "or NULL"]],
  ])("%s %j", (operator, args, expected) => expect(boundsOf(operator, ...args)).toEqual(expected));

  /** Bounds of what engines compute alike but for the last bits: no tighter, and hardly wider. */
  const near = (bounds: NumberDomain["bounds"], lo: number, hi: number): void => {
    const slack = 2 ** -40 * Math.max(1, Math.abs(lo), Math.abs(hi));
    expect(bounds![0]).toBeLessThanOrEqual(lo);
    expect(bounds![0]).toBeGreaterThan(lo - slack);
    expect(bounds![1]).toBeGreaterThanOrEqual(hi);
    expect(bounds![1]).toBeLessThan(hi + slack);
  };
  test.each<[Operator, (Expression | number)[], readonly [number, number], boolean]>([
    ["ln", [fraction(1, 10)], [0, Math.log(10)], false],
    ["log10", [fraction(0.1, 1000)], [-1, 3], false],
    ["ln", [numbers(0, 10)], [0, Math.log(10)], true],
    ["log10", [numbers(-5, 100, missing)], [0, 2], true],
    ["ln", [numbers(2, 10, missing)], [Math.log(2), Math.log(10)], true],
    ["ln", [fraction(0, 10)], [-745.2, Math.log(10)], true],
    ["ln", [unbounded(false)], [-745.2, 709.8], true],
    ["ln", [unbounded(true)], [0, 709.8], true],
    ["log10", [unbounded(false)], [-745.2 * Math.LOG10E, 709.8 * Math.LOG10E], true],
    ["exp", [fraction(-1, 2)], [Math.exp(-1), Math.exp(2)], false],
    ["exp", [fraction(-1, 2, missing)], [Math.exp(-1), Math.exp(2)], true],
    ["power", [fraction(-2, 3), 2], [0, 9], false],
    ["power", [fraction(-2, 3), 3], [-8, 27], false],
    ["power", [fraction(1, 4), 0.5], [1, 2], false],
    ["power", [fraction(0, 4), 0.5], [0, 2], false],
    ["power", [fraction(-1, 4), 0.5], [0, 2], true],
    ["power", [fraction(2, 4), -1], [0.25, 0.5], false],
    ["power", [fraction(-4, -2), -1], [-0.5, -0.25], false],
    ["power", [fraction(1, 4, missing), 2], [1, 16], true],
    ["round", [fraction(0, 1), 1], [-0.05, 1.05], false],
    ["round", [fraction(0, 120), -1], [-5, 125], false],
    ["round", [fraction(0, 1, missing), 0], [-0.5, 1.5], true],
  ])("%s %j, but for the last bits", (operator, args, [lo, hi], nullable) => {
    const domain = domainOf(operator, ...args);
    near(domain.bounds, lo, hi);
    expect(domain.nullable).toBe(nullable);
    expect(domain.values).toBe(null);
  });

  it("whole numbers are whole where they are rounded to tens", () => {
    expect(domainOf("round", numbers(0, 120), -1)).toMatchObject({
      bounds: [expect.closeTo(-5), expect.closeTo(125)],
      integer: true,
    });
    expect(domainOf("round", fraction(0, 120), -1)).toMatchObject({ integer: false });
  });
});

describe("few values stay public value by value", () => {
  test.each<[Operator, (Expression | number)[], readonly number[]]>([
    ["+", [listed(1, 10), listed(0, 5)], [1, 6, 10, 15]],
    ["-", [listed(1, 10), 1], [0, 9]],
    ["*", [listed(-1, 3), listed(-1, 3)], [-3, 1, 9]],
    ["/", [listed(1, 10), 4], [0.25, 2.5]],
    ["%", [listed(-7, 7, 10), 4], [-3, 2, 3]],
    ["negate", [listed(0, 3)], [-3, 0]],
    ["abs", [listed(-3, 0, 2)], [0, 2, 3]],
    ["sign", [listed(-3, 2)], [-1, 1]],
    ["floor", [listed(-0.5, 9.5)], [-1, 9]],
    ["ceil", [listed(-0.5, 9.5)], [0, 10]],
    ["trunc", [listed(-1.5, 9.5)], [-1, 9]],
    ["round", [listed(-1.5, 9.5)], [-2, 10]],
    ["sqrt", [listed(4, 81)], [2, 9]],
    ["least", [listed(1, 7), listed(3, 9)], [1, 3, 7]],
    ["greatest", [listed(1, 7), listed(3, 9)], [3, 7, 9]],
    ["width_bucket", [listed(0, 59), 0, 60, 6], [1, 6]],
    ["width_bucket", [listed(-1, 60), 0, 60, 6], [0, 7]],
  ])("%s %j", (operator, args, values) => {
    expect(domainOf(operator, ...args)).toMatchObject({ values, nullable: false });
  });

  test.each<[Operator, (Expression | number)[]]>([
    ["round", [listed(1.25, 2.5), 1]],
    ["ln", [listed(1, 2)]],
    ["log10", [listed(1, 100)]],
    ["exp", [listed(0, 1)]],
    ["power", [listed(1, 3), 2]],
    ["cell-among", [listed(1, 3), 0, 2]],
  ])("but not through %s, which engines compute each in its way", (operator, args) => {
    expect(domainOf(operator, ...args).values).toBe(null);
  });

  it("buckets between bounds are those that the bounds reach", () => {
    for (const [x, values] of [
      [fraction(0, 60), [1, 2, 3, 4]],
      [fraction(-1, 20), [0, 1, 2]],
      [fraction(20, 59), [2, 3]],
      [unbounded(false), [0, 1, 2, 3, 4]],
      [fraction(70, 80), [4]],
    ] as const)
      expect(domainOf("width_bucket", x, 0, 60, 3)).toMatchObject({ values, nullable: false });
  });
});

describe("meanings at the edges", () => {
  test.each<[Operator, Scalar[], Scalar]>([
    ["round", [-0.5], -1],
    ["round", [-0.4], 0],
    ["round", [1.4], 1],
    ["round", [0.25, 1], 0.3],
    ["round", [-1250, -2], -1300],
    ["round", [1249, -2], 1200],
    ["round", [1234, 0], 1234],
    ["round", [1e300, 15], 1e300],
    ["width_bucket", [29.9, 0, 60, 2], 1],
    ["width_bucket", [30, 0, 60, 2], 2],
    ["width_bucket", [-5, -10, 10, 4], 2],
    ["width_bucket", [0.3 - 2 ** -54, 0, 0.3, 3], 3],
    ["power", [0, 0], 1],
    ["power", [0, 2], 0],
    ["power", [-2, 3], -8],
    ["power", [-2, 0.5], null],
    ["power", [2, -1], 0.5],
    ["ln", [1], 0],
    ["ln", [-1], null],
    ["log10", [1000], 3],
    ["log10", [0], null],
    ["sqrt", [0], 0],
    ["sqrt", [9], 3],
    ["exp", [0], 1],
    ["%", [7, -4], 3],
    ["%", [-8, 4], 0],
    ["/", [0, 5], 0],
    ["-", [1, null], null],
    ["least", [3, null, 5], 3],
    ["greatest", [3, null, 5], 5],
    ["greatest", [0, -0], 0],
    ["floor", [-0.5], -1],
    ["ceil", [-0.5], 0],
    ["abs", [-2.5], 2.5],
    ["sign", [-0.1], -1],
  ])("%s %j is %j", (operator, args, expected) => {
    expect(applyOperator(operator, args)).toBe(expected);
  });
});
