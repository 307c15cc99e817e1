import { leastTrue } from "../../conversions/search/search.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import {
  ceilTo,
  compare,
  min,
  multiply,
  one,
  type Rational,
  ratio,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { laplaceThresholdDelta } from "../group-selection/laplace-threshold.ts";

/**
 * P[Z ≥ k] = a^k/(1 + a), a = e^(−1/scale), for the discrete Laplace Z that is drawn and k ≥ 0; rounded up at a relative
 * 2^−60. Errors: parameter.invalid unless scale > 0 and k ≥ 0.
 * @example laplaceTail(ratio(1n), 1n) // e^(−1)/(1 + e^(−1)) = 0.2689…
 */
export function laplaceTail(scale: Rational, k: bigint): Rational {
  checkPositive("scale", scale);
  if (!(k >= 0n)) throw invalidParameter("k", k, "an integer ≥ 0");
  return laplaceThresholdDelta(scale, k + 1n);
}

/** A δ as an event's text: one below 2^−3000 is rounded up to that, because parseRational reads no longer texts. */
export function deltaText(delta: Rational): string {
  return toText(min(one, ceilTo(delta, 1n << 3000n)));
}

/** Errors: parameter.invalid unless 0 < alpha < 1. */
export function checkAlpha(alpha: Rational): void {
  if (!(compare(alpha, zero) > 0 && compare(alpha, one) < 0)) {
    throw invalidParameter("alpha", toText(alpha), "above 0 and below 1");
  }
}

/**
 * The least reach ≥ 0 with P[Z > reach] ≤ alpha.
 * Errors: parameter.invalid unless scale > 0 and 0 < alpha < 1.
 */
export function laplaceErrorBoundAbove(scale: Rational, alpha: Rational): bigint {
  checkAlpha(alpha);
  checkPositive("scale", scale);
  const guess = toDouble(scale, "up") * -Math.log(toDouble(alpha, "down"));
  const start =
    Number.isFinite(guess) && guess < 2 ** 60 ? BigInt(Math.max(0, Math.floor(guess))) : 1n << 60n;
  return leastTrue(start, (reach) => compare(laplaceTail(scale, reach + 1n), alpha) <= 0);
}

/**
 * The least reach ≥ 0 with P[|Z| > reach] ≤ alpha, certified from the mass function that is drawn.
 * Source: Dwork & Roth 2014, Fact 3.7 (A Fact 2.2), summed over integers: P[|Z| > r] = 2·a^(r+1)/(1 + a).
 * Direction: exact.
 * @example laplaceErrorBound(ratio(10n), ratio(1n, 20n)) // => 30n
 */
export function laplaceErrorBound(scale: Rational, alpha: Rational): bigint {
  checkAlpha(alpha);
  return laplaceErrorBoundAbove(scale, multiply(alpha, ratio(1n, 2n)));
}
