import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smallestCertified } from "./smallest-certified.ts";

describe("smallestCertified", () => {
  test("finds the border from any guess, in a number of calls that grows with the logarithm of the miss", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: -5, max: 10 ** 9 }),
        (border, guess) => {
          let calls = 0;
          const found = smallestCertified(guess, (q) => {
            calls++;
            expect(q).toBeGreaterThanOrEqual(0n);
            return q >= BigInt(border);
          });
          expect(found).toBe(BigInt(border));
          expect(calls).toBeLessThanOrEqual(4 + 2 * Math.log2(2 + Math.abs(border - Math.max(0, guess))));
        },
      ),
      { seed: 1 },
    );
  });
  test("asks twice when the guess is right, and rounds a fraction up", () => {
    const asked: bigint[] = [];
    const holds = (q: bigint): boolean => {
      asked.push(q);
      return q >= 12n;
    };
    expect(smallestCertified(11.2, holds)).toBe(12n);
    expect(asked).toEqual([12n, 11n]);
  });
});
