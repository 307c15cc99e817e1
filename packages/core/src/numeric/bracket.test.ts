import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bracket } from "./bracket.ts";
import { expBracket, lnBracket, normalTailBracket, sqrtBracket } from "./bracket.ts";
import { piFixed } from "./constants.ts";
import type { Rational } from "./rational.ts";
import { compare, divide, fromDouble, multiply, parseRational, ratio, subtract } from "./rational.ts";

/** Digits from published tables (DLMF, OEIS); the bracket must hold them to their last digit. */
function expectHolds(bracket: Bracket, digits: string, bits: number): void {
  const known = parseRational(digits);
  const places = digits.includes(".") ? digits.split(".")[1]!.replace(/e.*/, "").length : 0;
  const exponent = Number(/e(-?\d+)/.exec(digits)?.[1] ?? 0);
  const slack = ratio(
    10n ** BigInt(Math.max(0, exponent - places)),
    10n ** BigInt(Math.max(0, places - exponent)),
  );
  expect(
    compare(bracket.lo, {
      ...known,
      num: known.num * slack.den + known.den * slack.num,
      den: known.den * slack.den,
    }),
  ).toBeLessThanOrEqual(0);
  expect(
    compare(bracket.hi, {
      ...known,
      num: known.num * slack.den - known.den * slack.num,
      den: known.den * slack.den,
    }),
  ).toBeGreaterThanOrEqual(0);
  expect(compare(subtract(bracket.hi, bracket.lo), ratio(1n, 1n << BigInt(bits)))).toBeLessThanOrEqual(0);
  expect(compare(bracket.lo, bracket.hi)).toBeLessThanOrEqual(0);
}

const overlap = (a: Bracket, b: Bracket): boolean => compare(a.lo, b.hi) <= 0 && compare(b.lo, a.hi) <= 0;
const rational = (limit: bigint): fc.Arbitrary<Rational> =>
  fc.tuple(fc.bigInt(-limit, limit), fc.bigInt(1n, 1n << 40n)).map(([n, d]) => ratio(n, d));

describe("brackets hold published digits", () => {
  test("exp", () => {
    expectHolds(expBracket(ratio(1n), 180), "2.71828182845904523536028747135266249775724709369995", 180);
    expectHolds(expBracket(ratio(-1n), 180), "0.36787944117144232159552377016146086744581113103176", 180);
    expectHolds(expBracket(ratio(0n), 50), "1", 50);
    expectHolds(
      expBracket(ratio(100n), 60),
      "26881171418161354484126255515800135873611118.77374192241519",
      60,
    );
  });
  test("ln", () => {
    expectHolds(lnBracket(ratio(2n), 160), "0.69314718055994530941723212145817656807550013436025", 160);
    expectHolds(lnBracket(ratio(10n), 160), "2.30258509299404568401799145468436420760110148862877", 160);
    expectHolds(lnBracket(ratio(1n), 100), "0", 100);
    expectHolds(lnBracket(ratio(3n, 7n), 60), "-0.84729786038720361", 60);
  });
  test("√ and π", () => {
    expectHolds(sqrtBracket(ratio(2n), 150), "1.41421356237309504880168872420969807856967187537694", 150);
    const exact = sqrtBracket(ratio(9n, 4n), 30);
    expect([exact.lo, exact.hi]).toEqual([ratio(3n, 2n), ratio(3n, 2n)]);
    const pi = piFixed(150);
    expectHolds(
      { lo: ratio(pi.lo, 1n << 150n), hi: ratio(pi.hi, 1n << 150n) },
      "3.14159265358979323846264338327950288419716939937510",
      140,
    );
  });
  test("Q", () => {
    expectHolds(normalTailBracket(ratio(1n), 100), "0.158655253931457051414767454368", 100);
    expectHolds(normalTailBracket(ratio(-1n), 100), "0.841344746068542948585232545632", 100);
    expectHolds(normalTailBracket(ratio(0n), 100), "0.5", 100);
    expectHolds(normalTailBracket(ratio(5n), 100), "0.000000286651571879193911673752", 100);
    expectHolds(normalTailBracket(ratio(10n), 200), "7.6198530241605260659733432515e-24", 200);
    expectHolds(normalTailBracket(ratio(40n), 1300), "3.65589354e-350", 1300);
  });
});

describe("brackets keep their promises", () => {
  const bits = fc.integer({ min: 1, max: 420 });
  test("width at most 2^−bits, and a finer bracket overlaps a coarser one", () => {
    fc.assert(
      fc.property(rational(1n << 44n), bits, fc.integer({ min: 0, max: 3 }), (x, b, which) => {
        const positive = { num: x.num < 0n ? -x.num : x.num + 1n, den: x.den };
        const small = ratio(x.num % (40n * x.den), x.den);
        const f = [
          (p: number) => expBracket(small, p),
          (p: number) => lnBracket(positive, p),
          (p: number) => sqrtBracket(positive, p),
          (p: number) => normalTailBracket(small, p),
        ][which]!;
        const [coarse, fine] = [f(b), f(b + 70)];
        for (const [y, p] of [
          [coarse, b],
          [fine, b + 70],
        ] as const) {
          expect(compare(y.lo, y.hi)).toBeLessThanOrEqual(0);
          expect(compare(subtract(y.hi, y.lo), ratio(1n, 1n << BigInt(p)))).toBeLessThanOrEqual(0);
        }
        expect(overlap(coarse, fine)).toBe(true);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test("e^x · e^−x = 1, ln e^x = x, Q(x) + Q(−x) = 1, (√x)² = x", () => {
    fc.assert(
      fc.property(rational(1n << 43n), bits, (raw, b) => {
        const x = ratio(raw.num % (30n * raw.den), raw.den);
        const minus = ratio(-x.num, x.den);
        const [e, f] = [expBracket(x, b + 50), expBracket(minus, b + 50)];
        expect(compare(multiply(e.lo, f.lo), ratio(1n))).toBeLessThanOrEqual(0);
        expect(compare(multiply(e.hi, f.hi), ratio(1n))).toBeGreaterThanOrEqual(0);
        expect(compare(lnBracket(e.lo, b).lo, x)).toBeLessThanOrEqual(0);
        expect(compare(lnBracket(e.hi, b).hi, x)).toBeGreaterThanOrEqual(0);
        const [q, r] = [normalTailBracket(x, b), normalTailBracket(minus, b)];
        expect(compare(q.lo, subtract(ratio(1n), r.lo))).toBeLessThanOrEqual(0);
        expect(compare(q.hi, subtract(ratio(1n), r.hi))).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150, seed: 2 },
    );
  });

  test("Mills' ratio: x/(x²+1)·φ(x) < Q(x) < φ(x)/x in the far tail", () => {
    for (const x of [6n, 13n, 25n, 38n]) {
      const p = Number(x * x) + 200;
      const q = normalTailBracket(ratio(x), p);
      const bell = expBracket(ratio(-x * x, 2n), p); // φ·√(2π), with √(2π) ∈ (2.5066, 2.5067)
      expect(compare(q.hi, divide(bell.lo, ratio(25067n * (x * x + 1n), 10000n * x)))).toBeGreaterThan(0);
      expect(compare(q.lo, divide(bell.hi, ratio(25066n * x, 10000n)))).toBeLessThan(0);
    }
  });

  test("agrees with Math within a few ulps", () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
        const bracket = expBracket(fromDouble(x), 100);
        expect(compare(bracket.lo, fromDouble(Math.exp(x) * (1 + 1e-14)))).toBeLessThanOrEqual(0);
        expect(compare(bracket.hi, fromDouble(Math.exp(x) * (1 - 1e-14)))).toBeGreaterThanOrEqual(0);
      }),
      { seed: 3 },
    );
  });

  test("refuses what has no bracket", () => {
    expect(() => lnBracket(ratio(0n), 10)).toThrow(/ln/);
    expect(() => sqrtBracket(ratio(-1n), 10)).toThrow(/√/);
    expect(() => expBracket(ratio(1n), Number.NaN)).toThrow(/bits/);
    expect(() => expBracket(ratio(1n << 30n), 10)).toThrow(/exponent/);
  });

  test("are in lowest terms, zero too", () => {
    const zero = { num: 0n, den: 1n };
    expect(sqrtBracket(ratio(0n), 10)).toEqual({ lo: zero, hi: zero });
    expect(lnBracket(ratio(1n), 10).lo.num).toBeLessThanOrEqual(0n);
    expect(expBracket(ratio(-50n), 40)).toEqual({ lo: zero, hi: ratio(1n, 1n << 40n) });
    expect(normalTailBracket(ratio(30n), 40)).toEqual({ lo: zero, hi: ratio(1n, 1n << 40n) });
    expect(normalTailBracket(ratio(-30n), 40)).toEqual({
      lo: ratio((1n << 40n) - 1n, 1n << 40n),
      hi: ratio(1n),
    });
    for (const { lo, hi } of [
      expBracket(ratio(1n), 30),
      lnBracket(ratio(3n), 30),
      sqrtBracket(ratio(9n, 64n), 30),
      normalTailBracket(ratio(1n, 2n), 30),
    ])
      for (const end of [lo, hi]) expect(ratio(end.num, end.den)).toEqual(end);
  });

  test("take 1 to 2^20 bits", () => {
    // Far below 0 these need no digits.
    const far = ratio(-(1n << 21n));
    for (const bits of [1, 1 << 20]) expect(expBracket(far, bits).hi).toEqual(ratio(1n, 1n << BigInt(bits)));
    for (const bits of [0, -1, 1.5, (1 << 20) + 1, Number.NaN, Number.POSITIVE_INFINITY])
      for (const of of [expBracket, sqrtBracket, normalTailBracket])
        expect(() => of(ratio(bits < 1 ? 0n : 4n), bits), `${bits}`).toThrow(/bits/);
    expect(() => expBracket(ratio((1n << 20n) + 1n), 4)).toThrow(/exponent/);
    expect(() => expBracket(ratio((3n << 20n) + 1n, 3n), 4)).toThrow(/exponent/);
  });

  test("hold a normal tail on both sides of where it is next to nothing, at fractions too", () => {
    // Q(1.51) = 0.0655217…, Q(3.07) = 0.00107027…, Q(5.5) = 1.89896e-8: of 20 bits' width the last is below one unit.
    for (const [num, tail] of [
      [151n, 0.0655217120889165],
      [307n, 0.0010702938546789387],
      [550n, 1.8989562465887718e-8],
    ] as const) {
      for (const bits of [4, 8, 20, 40]) {
        const { lo, hi } = normalTailBracket(ratio(num, 100n), bits);
        expect(compare(lo, fromDouble(tail * (1 + 1e-12)))).toBeLessThanOrEqual(0);
        expect(compare(hi, fromDouble(tail * (1 - 1e-12)))).toBeGreaterThanOrEqual(0);
        const above = normalTailBracket(ratio(-num, 100n), bits);
        expect(compare(above.lo, fromDouble((1 - tail) * (1 + 1e-12)))).toBeLessThanOrEqual(0);
        expect(compare(above.hi, fromDouble((1 - tail) * (1 - 1e-12)))).toBeGreaterThanOrEqual(0);
      }
    }
  });
});
