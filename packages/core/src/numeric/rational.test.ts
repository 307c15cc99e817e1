import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextDown, nextUp } from "./directed.ts";
import * as q from "./rational.ts";

const big = fc.bigInt(-(1n << 80n), 1n << 80n);
const positive = fc.bigInt(1n, 1n << 80n);
const rational = fc.tuple(big, positive).map(([n, d]) => q.ratio(n, d));

describe("field", () => {
  test("laws", () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(q.add(a, b)).toEqual(q.add(b, a));
        expect(q.multiply(a, q.add(b, c))).toEqual(q.add(q.multiply(a, b), q.multiply(a, c)));
        expect(q.subtract(q.add(a, b), b)).toEqual(a);
        if (b.num !== 0n) expect(q.multiply(q.divide(a, b), b)).toEqual(a);
        expect(q.sum([a, b, c])).toEqual(q.add(a, q.add(b, c)));
        expect(Math.sign(q.compare(a, b))).toBe(-Math.sign(q.compare(b, a)));
        expect(q.compare(q.min(a, b), q.max(a, b))).toBeLessThanOrEqual(0);
      }),
      { seed: 1 },
    );
  });
  test("sums of many terms, some of one denominator, are those of one term after the other", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            rational,
            big.map((n) => q.ratio(n, 12n)),
          ),
        ),
        (terms) => {
          expect(q.sum(terms)).toEqual(terms.reduce(q.add, q.zero));
        },
      ),
      { seed: 5 },
    );
  });
  test("lowest terms, positive denominator", () => {
    expect(q.ratio(6n, -4n)).toEqual({ num: -3n, den: 2n });
    expect(q.ratio(0n, -7n)).toEqual({ num: 0n, den: 1n });
    expect(() => q.ratio(1n, 0n)).toThrow(/denominator/);
    expect(() => q.divide(q.one, q.zero)).toThrow(/denominator/);
  });
  test("floor and ceil enclose, also below zero", () => {
    expect([q.floor(q.ratio(-1n, 3n)), q.ceil(q.ratio(-1n, 3n))]).toEqual([-1n, 0n]);
    fc.assert(
      fc.property(rational, fc.bigInt(1n, 1000n), (a, grid) => {
        const [lo, hi] = [q.floorTo(a, grid), q.ceilTo(a, grid)];
        expect(q.compare(lo, a)).toBeLessThanOrEqual(0);
        expect(q.compare(hi, a)).toBeGreaterThanOrEqual(0);
        expect(q.compare(q.subtract(hi, lo), q.ratio(1n, grid))).toBeLessThanOrEqual(0);
      }),
      { seed: 2 },
    );
  });
});

describe("text", () => {
  test("parses what people write, exactly", () => {
    expect(q.parseRational("0.1")).toEqual(q.ratio(1n, 10n));
    expect(q.parseRational("-2.50")).toEqual(q.ratio(-5n, 2n));
    expect(q.parseRational("1e-6")).toEqual(q.ratio(1n, 1_000_000n));
    expect(q.parseRational("+1.5E2")).toEqual(q.ratio(150n));
    expect(q.parseRational("-6/4")).toEqual(q.ratio(-3n, 2n));
  });
  test("refuses everything else", () => {
    for (const text of [
      "",
      " 1",
      "1 ",
      "NaN",
      "Infinity",
      "0x10",
      "1e",
      ".5",
      "1.",
      "1/0",
      "1/-2",
      "1e9999",
      "--1",
      "1_000",
      "١",
    ]) {
      expect(() => q.parseRational(text), text).toThrow();
    }
  });
  test("toText reads back", () => {
    fc.assert(
      fc.property(rational, (a) => {
        expect(q.parseRational(q.toText(a))).toEqual(a);
      }),
      { seed: 3 },
    );
  });
  test("toDecimal rounds to the asked side by less than one place", () => {
    expect(q.toDecimal(q.parseRational("1/3"), "up", 4)).toBe("0.3334");
    expect(q.toDecimal(q.parseRational("-1/3"), "up", 4)).toBe("-0.3333");
    expect(q.toDecimal(q.parseRational("-1/3"), "down", 4)).toBe("-0.3334");
    expect(q.toDecimal(q.parseRational("-1e-9"), "up", 4)).toBe("0");
    expect(q.toDecimal(q.parseRational("1/2"), "down", 0)).toBe("0");
    expect(q.toDecimal(q.parseRational("100"), "up", 0)).toBe("100");
    fc.assert(
      fc.property(rational, fc.integer({ min: 0, max: 12 }), (a, places) => {
        const [lo, hi] = [
          q.parseRational(q.toDecimal(a, "down", places)),
          q.parseRational(q.toDecimal(a, "up", places)),
        ];
        expect(q.compare(lo, a)).toBeLessThanOrEqual(0);
        expect(q.compare(hi, a)).toBeGreaterThanOrEqual(0);
        expect(q.compare(q.subtract(hi, lo), q.ratio(1n, 10n ** BigInt(places)))).toBeLessThanOrEqual(0);
      }),
      { seed: 4 },
    );
  });
});

describe("doubles", () => {
  test("fromDouble is exact and toDouble gives it back from both sides", () => {
    expect(q.fromDouble(0.1)).toEqual(q.ratio(3602879701896397n, 1n << 55n));
    expect(() => q.fromDouble(Number.NaN)).toThrow();
    expect(() => q.fromDouble(Number.POSITIVE_INFINITY)).toThrow();
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(q.toDouble(q.fromDouble(x), "up") === x).toBe(true);
        expect(q.toDouble(q.fromDouble(x), "down") === x).toBe(true);
      }),
      { seed: 5, numRuns: 1000 },
    );
  });
  test("toDouble is the tightest double on the asked side", () => {
    const wide = fc
      .tuple(rational, fc.integer({ min: -1150, max: 1100 }))
      .map(([a, e]) => q.multiply(a, e >= 0 ? q.ratio(1n << BigInt(e)) : q.ratio(1n, 1n << BigInt(-e))));
    fc.assert(
      fc.property(wide, (a) => {
        const [lo, hi] = [q.toDouble(a, "down"), q.toDouble(a, "up")];
        if (lo !== Number.NEGATIVE_INFINITY) expect(q.compare(q.fromDouble(lo), a)).toBeLessThanOrEqual(0);
        if (hi !== Number.POSITIVE_INFINITY) expect(q.compare(q.fromDouble(hi), a)).toBeGreaterThanOrEqual(0);
        expect(lo === hi || nextUp(lo) === hi || nextDown(hi) === lo).toBe(true);
      }),
      { seed: 6, numRuns: 2000 },
    );
  });
  test("toDouble at the edges", () => {
    const tiny = q.ratio(1n, 1n << 1200n);
    expect(q.toDouble(tiny, "up")).toBe(Number.MIN_VALUE);
    expect(q.toDouble(tiny, "down")).toBe(0);
    expect(q.toDouble(q.negate(tiny), "down")).toBe(-Number.MIN_VALUE);
    for (const power of [1024n, 1025n, 3000n]) {
      expect(q.toDouble(q.ratio(1n << power), "down")).toBe(Number.MAX_VALUE);
      expect(q.toDouble(q.ratio(1n << power), "up")).toBe(Number.POSITIVE_INFINITY);
      expect(q.toDouble(q.ratio(-(1n << power)), "up")).toBe(-Number.MAX_VALUE);
    }
    const maximum = q.fromDouble(Number.MAX_VALUE);
    expect(q.toDouble(maximum, "up")).toBe(Number.MAX_VALUE);
    expect(q.toDouble(q.add(maximum, q.one), "down")).toBe(Number.MAX_VALUE);
    expect(q.toDouble(q.add(maximum, q.one), "up")).toBe(Number.POSITIVE_INFINITY);
  });
});
