import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ln2Fixed, piFixed } from "./constants.ts";
import {
  bitLength,
  fixedQuotient,
  floorSqrt,
  quotientDown,
  quotientUp,
  rescale,
  shiftDown,
  shiftUp,
} from "./fixed-point.ts";
import { ceil, floor, ratio } from "./rational.ts";

const wide = fc.bigInt(-(1n << 70n), 1n << 70n);

describe("shifts", () => {
  test("are ⌊n/2^s⌋ and ⌈n/2^s⌉ for any sign of n and s", () => {
    fc.assert(
      fc.property(wide, fc.integer({ min: -80, max: 80 }), (n, s) => {
        const exact = s >= 0 ? ratio(n, 1n << BigInt(s)) : ratio(n << BigInt(-s));
        expect(shiftDown(n, s)).toBe(floor(exact));
        expect(shiftUp(n, s)).toBe(ceil(exact));
      }),
    );
  });
  test("a rescaled interval never becomes narrower, and loses nothing on the way to more places", () => {
    const x = { lo: -5n, hi: 5n };
    expect(rescale(x, 2, 1)).toEqual({ lo: -3n, hi: 3n });
    expect(rescale(x, 2, 4)).toEqual({ lo: -20n, hi: 20n });
  });
});

describe("quotients", () => {
  test("are ⌊a/b⌋ and ⌈a/b⌉, equal where b divides a", () => {
    fc.assert(
      fc.property(fc.bigInt(-40n, 40n), fc.bigInt(1n, 9n), (a, b) => {
        expect(quotientDown(a, b)).toBe(floor(ratio(a, b)));
        expect(quotientUp(a, b)).toBe(ceil(ratio(a, b)));
      }),
      { numRuns: 400, seed: 1 },
    );
  });
  test("in fixed point enclose the fraction, as one number where it fits", () => {
    expect(fixedQuotient(1n, 3n, 4)).toEqual({ lo: 5n, hi: 6n });
    expect(fixedQuotient(-1n, 3n, 4)).toEqual({ lo: -6n, hi: -5n });
    expect(fixedQuotient(-3n, 4n, 4)).toEqual({ lo: -12n, hi: -12n });
  });
});

describe("bits and roots", () => {
  test("a number has as many bits as it is written with", () => {
    for (const n of [0n, 1n, 2n, 3n, 7n, 8n, 15n, 16n, 255n, 256n, (1n << 64n) - 1n, 1n << 64n]) {
      const due = n === 0n ? 0 : n.toString(2).length;
      expect([bitLength(n), bitLength(-n)]).toEqual([due, due]);
    }
  });
  test("⌊√n⌋ is the root of every small number, and of large ones at their squares", () => {
    for (let n = 0; n <= 300; n += 1) expect(floorSqrt(BigInt(n))).toBe(BigInt(Math.floor(Math.sqrt(n))));
    for (const root of [10n ** 20n + 7n, (1n << 90n) - 1n]) {
      expect([-1n, 0n, 1n].map((by) => floorSqrt(root * root + by))).toEqual([root - 1n, root, root]);
      expect(floorSqrt((root + 1n) ** 2n - 1n)).toBe(root);
    }
  });
});

describe("constants at every precision", () => {
  // Fifty digits (OEIS A002162, A000796).
  const known = [
    ["ln 2", ln2Fixed, 69314718055994530941723212145817656807550013436025n],
    ["π", piFixed, 314159265358979323846264338327950288419716939937510n],
  ] as const;
  test.each(known)("%s lies in its interval, which loses eleven bits at most", (_, fixed, digits) => {
    // Rising, so that each is computed anew now and then; then falling, from the most precise that is kept.
    const rising = Array.from({ length: 40 }, (_, i) => 1 + 4 * i);
    for (const p of [...rising, ...rising.toReversed(), 0, 150]) {
      const { lo, hi } = fixed(p);
      const scale = 10n ** 50n;
      expect(lo * scale).toBeLessThanOrEqual((digits + 1n) << BigInt(p));
      expect(hi * scale).toBeGreaterThanOrEqual(digits << BigInt(p));
      expect(hi - lo).toBeLessThanOrEqual(2n ** 11n);
    }
  });
});
