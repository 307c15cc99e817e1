import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as directed from "./directed.ts";
import type { Rational } from "./rational.ts";
import { add, compare, divide, fromDouble, multiply, subtract } from "./rational.ts";

const { nextUp, nextDown } = directed;
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("neighbours", () => {
  test("at the edges", () => {
    expect(nextUp(0)).toBe(Number.MIN_VALUE);
    expect(nextUp(-0)).toBe(Number.MIN_VALUE);
    expect(nextDown(0)).toBe(-Number.MIN_VALUE);
    expect(nextUp(-Number.MIN_VALUE)).toBe(-0);
    expect(nextUp(Number.MAX_VALUE)).toBe(Number.POSITIVE_INFINITY);
    expect(nextUp(Number.NEGATIVE_INFINITY)).toBe(-Number.MAX_VALUE);
    expect(nextUp(1)).toBe(1 + Number.EPSILON);
    expect(nextUp(Number.NaN)).toBeNaN();
  });
  test("nothing lies between x and nextUp(x)", () => {
    fc.assert(
      fc.property(finite, (x) => {
        const y = nextUp(x);
        expect(y).toBeGreaterThan(x);
        const middle = x / 2 + y / 2;
        expect(middle === x || middle === y || !Number.isFinite(y) || Math.abs(x) < 1e-300).toBe(true);
        expect(nextDown(y) === x || !Number.isFinite(y)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

describe("directed operations enclose the exact result", () => {
  const operations: Record<
    string,
    [
      (a: number, b: number) => number,
      (a: number, b: number) => number,
      (a: Rational, b: Rational) => Rational,
    ]
  > = {
    add: [directed.addDown, directed.addUp, add],
    subtract: [directed.subtractDown, directed.subtractUp, subtract],
    multiply: [directed.multiplyDown, directed.multiplyUp, multiply],
    divide: [directed.divideDown, directed.divideUp, divide],
  };
  for (const [name, [down, up, exact]] of Object.entries(operations)) {
    test(name, () => {
      fc.assert(
        fc.property(finite, finite, (a, b) => {
          fc.pre(name !== "divide" || b !== 0);
          const truth = exact(fromDouble(a), fromDouble(b));
          const [lo, hi] = [down(a, b), up(a, b)];
          if (lo !== Number.NEGATIVE_INFINITY) expect(compare(fromDouble(lo), truth)).toBeLessThanOrEqual(0);
          if (hi !== Number.POSITIVE_INFINITY)
            expect(compare(fromDouble(hi), truth)).toBeGreaterThanOrEqual(0);
          expect(Number.isNaN(lo) || lo === Number.POSITIVE_INFINITY).toBe(false);
          expect(Number.isNaN(hi) || hi === Number.NEGATIVE_INFINITY).toBe(false);
        }),
        { seed: 2, numRuns: 2000 },
      );
    });
  }
  test("√", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (x) => {
        const [lo, hi] = [fromDouble(directed.sqrtDown(x)), fromDouble(directed.sqrtUp(x))];
        expect(compare(multiply(lo, lo), fromDouble(x))).toBeLessThanOrEqual(0);
        expect(compare(multiply(hi, hi), fromDouble(x))).toBeGreaterThanOrEqual(0);
      }),
      { seed: 3 },
    );
  });
  test("exact sums stay exact", () => {
    expect(directed.addUp(0.5, 0.25)).toBe(0.75);
    expect(directed.addDown(1, 2 ** -80)).toBe(1);
    expect(directed.addUp(1, 2 ** -80)).toBe(1 + Number.EPSILON);
  });
});
