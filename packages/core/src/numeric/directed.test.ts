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
  test("an overflow stops at the largest double where the exact result is finite, and infinities stay", () => {
    const [most, inf] = [Number.MAX_VALUE, Number.POSITIVE_INFINITY];
    expect([directed.addUp(most, most), directed.addDown(most, most)]).toEqual([inf, most]);
    expect([directed.addUp(-most, -most), directed.addDown(-most, -most)]).toEqual([-most, -inf]);
    expect([directed.subtractUp(-most, most), directed.subtractDown(most, -most)]).toEqual([-most, most]);
    expect([directed.addUp(-inf, most), directed.addDown(inf, -most)]).toEqual([-inf, inf]);
    expect([directed.addUp(most, -inf), directed.subtractDown(-most, -inf)]).toEqual([-inf, inf]);
    expect([directed.multiplyUp(-1e200, 1e200), directed.multiplyDown(1e200, 1e200)]).toEqual([-most, most]);
    expect([directed.divideUp(-1e200, 1e-200), directed.divideDown(1e200, 1e-200)]).toEqual([-most, most]);
    expect([directed.multiplyUp(1e200, 1e200), directed.divideUp(1e200, 1e-200)]).toEqual([inf, inf]);
    expect([directed.divideUp(1, 0), directed.divideDown(-1, 0)]).toEqual([inf, -inf]);
  });
  test("products and quotients are one step up at most, and exact where a factor is 0 or ±1", () => {
    expect([directed.multiplyUp(3, 7), directed.multiplyDown(3, 7)]).toEqual([nextUp(21), nextDown(21)]);
    expect([directed.divideUp(1, 4), directed.divideDown(1, 4)]).toEqual([nextUp(0.25), nextDown(0.25)]);
    for (const factor of [1, -1]) {
      expect([directed.multiplyUp(factor, 0.3), directed.multiplyUp(0.3, factor)]).toEqual([
        factor * 0.3,
        factor * 0.3,
      ]);
      expect([directed.divideUp(0.3, factor), directed.divideDown(0.3, factor)]).toEqual([
        factor * 0.3,
        factor * 0.3,
      ]);
    }
    expect([directed.multiplyUp(0, 5), directed.multiplyUp(5, 0), directed.divideUp(0, 5)]).toEqual([
      0, 0, 0,
    ]);
    expect(directed.divideUp(5, Number.POSITIVE_INFINITY)).toBe(0);
    // Below the least double there is still a step.
    expect(directed.multiplyUp(1e-200, 1e-200)).toBe(Number.MIN_VALUE);
    expect(directed.multiplyDown(-1e-200, 1e-200)).toBe(-Number.MIN_VALUE);
  });
  test("roots are one step at most, 0 of 0, without end of ∞ and none below 0", () => {
    expect([directed.sqrtUp(4), directed.sqrtDown(4)]).toEqual([nextUp(2), nextDown(2)]);
    expect([directed.sqrtUp(0), directed.sqrtDown(0)]).toEqual([0, 0]);
    const inf = Number.POSITIVE_INFINITY;
    expect([directed.sqrtUp(inf), directed.sqrtDown(inf)]).toEqual([inf, inf]);
    expect([directed.sqrtUp(-1), directed.sqrtDown(-1)]).toEqual([Number.NaN, Number.NaN]);
  });
});
