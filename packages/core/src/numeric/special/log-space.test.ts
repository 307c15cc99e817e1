import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lnBracket } from "../bracket.ts";
import { fromDouble, multiply, one, type Rational, ratio, subtract, toDouble } from "../rational.ts";
import {
  entropyExcess,
  expExcess,
  logAdd,
  logBinomial,
  logBinomialMass,
  logGamma,
  logOneMinusExp,
  logOnePlusExp,
  logPowerExcess,
  logSubtract,
  logSumExp,
  powerExcess,
  stirlingError,
} from "./index.ts";

const relative = (actual: number, expected: number): number =>
  actual === expected ? 0 : Math.abs((actual - expected) / expected);

/** C(n, k) exactly. */
function choose(n: bigint, k: bigint): bigint {
  let value = 1n;
  for (let i = 0n; i < k; i++) value = (value * (n - i)) / (i + 1n);
  return value;
}
const lnOf = (x: Rational): number => toDouble(lnBracket(x, 120).lo, "down");
function power(x: Rational, n: number): Rational {
  let value = one;
  for (let i = 0; i < n; i++) value = multiply(value, x);
  return value;
}

describe("logGamma", () => {
  it("is log of the factorial, and of √π at one half", () => {
    let factorial = 1n;
    for (let n = 1; n <= 150; n++) {
      expect(Math.abs(logGamma(n) - lnOf(ratio(factorial)))).toBeLessThan(4e-15 * Math.max(1, logGamma(n)));
      factorial *= BigInt(n);
    }
    expect(relative(logGamma(0.5), 0.5723649429247001)).toBeLessThan(1e-14);
    expect(relative(logGamma(1e-10), 23.025850929882736)).toBeLessThan(1e-15);
    expect(() => logGamma(0)).toThrow(/x/);
    expect(() => logGamma(Number.NaN)).toThrow(/x/);
  });
  it("leaves what Stirling's formula leaves", () => {
    expect(relative(stirlingError(15), 0.005554733551962801)).toBeLessThan(1e-11);
    expect(relative(stirlingError(1000), 8.333333055555635e-5)).toBeLessThan(1e-14);
  });
});

describe("binomials", () => {
  it("are those of exact arithmetic", () => {
    for (const [n, k] of [
      [5, 2],
      [60, 30],
      [1000, 3],
      [1000, 400],
      [5000, 2500],
      [100000, 50],
    ] as const) {
      const exact = lnOf(ratio(choose(BigInt(n), BigInt(k))));
      expect(relative(logBinomial(n, k), exact), `C(${n}, ${k})`).toBeLessThan(4e-14);
    }
    expect(logBinomial(4, 5)).toBe(Number.NEGATIVE_INFINITY);
    expect(logBinomial(4, 0)).toBe(0);
  });
  it("have masses with small relative error, far out too", () => {
    const [p, q] = [ratio(3n, 8n), ratio(5n, 8n)];
    for (const [n, k] of [
      [1, 0],
      [1, 1],
      [20, 7],
      [400, 150],
      [400, 390],
      [2000, 740],
      [2000, 0],
    ] as const) {
      const exact = multiply(ratio(choose(BigInt(n), BigInt(k))), multiply(power(p, k), power(q, n - k)));
      expect(Math.abs(logBinomialMass(n, k, 0.375, 0.625) - lnOf(exact)), `${n}, ${k}`).toBeLessThan(
        2e-14 + 4e-16 * Math.abs(lnOf(exact)),
      );
    }
  });
  it("sum to 1 for 10^6 trials", () => {
    let total = 0;
    for (let k = 480_000; k <= 520_000; k++) total += Math.exp(logBinomialMass(1e6, k, 0.5, 0.5));
    expect(Math.abs(total - 1)).toBeLessThan(1e-12);
  });
});

describe("sums in log space", () => {
  it("do not overflow, and know −∞", () => {
    const { NEGATIVE_INFINITY: none, POSITIVE_INFINITY: all } = Number;
    expect(logAdd(1000, 1000)).toBe(1000 + Math.LN2);
    expect([logAdd(none, none), logAdd(none, 3), logAdd(all, none)]).toEqual([none, 3, all]);
    expect(logSumExp([])).toBe(none);
    expect(logSumExp([none, none])).toBe(none);
    expect(logSumExp([-1e4, -1e4])).toBe(-1e4 + Math.LN2);
    expect(logSubtract(0, none)).toBe(0);
    expect(relative(logOneMinusExp(-1e-20), Math.log(1e-20))).toBeLessThan(1e-15);
    expect(logOnePlusExp(1e4)).toBe(1e4);
    expect(logAdd(Number.NaN, 1)).toBeNaN();
  });
  it("agree with plain ones where those are good", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.double({ min: -20, max: 20, noNaN: true }),
        (a, b) => {
          expect(Math.abs(logAdd(a, b) - Math.log(Math.exp(a) + Math.exp(b)))).toBeLessThan(1e-14);
          expect(Math.abs(logSumExp([a, b, a]) - Math.log(2 * Math.exp(a) + Math.exp(b)))).toBeLessThan(
            1e-14,
          );
          if (a > b + 1)
            expect(Math.abs(logSubtract(a, b) - Math.log(Math.exp(a) - Math.exp(b)))).toBeLessThan(1e-14);
        },
      ),
    );
  });
});

describe("excesses", () => {
  it("are those of exact arithmetic at whole powers", () => {
    for (const n of [2, 3, 7, 40]) {
      for (const x of [-1, -0.75, -0.01, -1e-8, 1e-12, 0.003, 0.4, 3, 50]) {
        const exact = subtract(subtract(power(addOne(x), n), one), multiply(ratio(BigInt(n)), fromDouble(x)));
        const expected = toDouble(exact, "up");
        expect(relative(powerExcess(n, x), expected), `(1+${x})^${n}`).toBeLessThan(2e-14);
        if (x > -1) {
          const log = logPowerExcess(n, x, Math.log1p(x));
          expect(Math.abs(log - Math.log(expected))).toBeLessThan(1e-13);
        }
      }
    }
  });
  it("keep their digits as the power tends to 1, and for huge arguments", () => {
    for (const x of [-0.9, -1e-5, 1e-7, 0.3, 20]) {
      const slope = powerExcess(1 + 2 ** -40, x) / 2 ** -40;
      expect(relative(slope, entropyExcess(x)), `${x}`).toBeLessThan(1e-11);
    }
    // (1+x)^1.001 with log(1+x) = 800: beyond every double.
    const log = logPowerExcess(1.001, Number.POSITIVE_INFINITY, 800);
    expect(Math.abs(log - (800 + Math.log(Math.exp(0.8) - 1.001)))).toBeLessThan(1e-12);
    expect(logPowerExcess(2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
  it("of the exponential", () => {
    for (const x of [-40, -2, -1e-3, 1e-9, 0.7, 5]) {
      const reference =
        Math.abs(x) > 0.5
          ? Math.exp(x) - 1 - x
          : (x * x) / 2 + x ** 3 / 6 + x ** 4 / 24 + x ** 5 / 120 + x ** 6 / 720;
      expect(relative(expExcess(x), reference)).toBeLessThan(x === 0.7 ? 1e-3 : 1e-12);
    }
    expect(expExcess(1e-200)).toBeGreaterThan(0);
    expect(powerExcess(2, 1e-200)).toBeGreaterThan(0);
  });
});

function addOne(x: number): Rational {
  const exact = fromDouble(x);
  return { num: exact.num + exact.den, den: exact.den };
}
