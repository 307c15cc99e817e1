import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalTailBracket } from "../../numeric/bracket.ts";
import { compare, divide, multiply, type Rational, ratio } from "../../numeric/rational.ts";
import { roundedNormalQuantile } from "./rounded-gaussian-law.ts";

/** P[|round(σN)| > q] between two rationals. */
function tail(sigma: Rational, q: bigint): { readonly lo: Rational; readonly hi: Rational } {
  const { lo, hi } = normalTailBracket(divide(ratio(2n * q + 1n, 2n), sigma), 120);
  return { lo: multiply(ratio(2n), lo), hi: multiply(ratio(2n), hi) };
}

describe("the quantile of a rounded Gaussian", () => {
  it("is the least q whose tail is at most alpha", () => {
    const positive = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(positive, positive, (spread, level) => {
        const sigma = ratio(BigInt(spread), 100n);
        const alpha = ratio(BigInt(level), 10_001n);
        const q = roundedNormalQuantile(sigma, alpha);
        expect(compare(tail(sigma, q).lo, alpha)).toBeLessThanOrEqual(0);
        if (q > 0n) expect(compare(tail(sigma, q - 1n).hi, alpha)).toBeGreaterThan(0);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it("is 1.96 σ at 95 %, less the rounding", () => {
    expect(roundedNormalQuantile(ratio(1000n), ratio(1n, 20n))).toBe(1960n);
  });
});
