import { invalidParameter } from "../../errors/lethe-error.ts";
import {
  add,
  ceilTo,
  compare,
  floorTo,
  min,
  multiply,
  type Rational,
  ratio,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { erfcx } from "../../numeric/special/erfcx.ts";
import { epsilonFromRho } from "../canonne-kamath-steinke.ts";
import { rhoFromGaussian } from "../gaussian-to-zcdp.ts";
import { epsilonGrid } from "../search/loss-grid.ts";
import { remembered } from "../search/remembered.ts";
import { bitsBelowOne, checkTargetDelta, greatestTrue, leastTrue } from "../search/search.ts";
import { gaussianDeltaBracket } from "./gaussian-delta.ts";

/** The largest μ² that is converted exactly. Beyond it ε is in the hundreds, and the zCDP bound, which is never smaller, is charged instead. */
const largestMuSquared = ratio(256n);

/**
 * Whether δ(μ, ε) ≤ δ. Brackets are refined until they exclude one answer; what stays undecided is a no. So the answer
 * depends on no double, and is the same on every machine.
 */
function covers(muSquared: Rational, epsilon: Rational, delta: Rational): boolean {
  const first = 44 + bitsBelowOne(delta);
  for (let bits = first; bits <= 8 * first; bits *= 2) {
    const bracket = gaussianDeltaBracket(muSquared, epsilon, bits);
    if (compare(bracket.hi, delta) <= 0) return true;
    if (compare(bracket.lo, delta) > 0) return false;
  }
  return false;
}

/** log δ(μ, ε) in doubles, as −a²/2 − log 2 + log(erfcx(a/√2) − erfcx(b/√2)): for guesses alone. */
function logDelta(mu: number, epsilon: number): number {
  const near = epsilon / mu - mu / 2;
  const far = epsilon / mu + mu / 2;
  return (-near * near) / 2 - Math.LN2 + Math.log(erfcx(near * Math.SQRT1_2) - erfcx(far * Math.SQRT1_2));
}

/** A zero of a decreasing function of a double ≥ 0; 0 when there is none. For guesses alone. */
function bisect(high: number, isAbove: (x: number) => boolean): number {
  let low = 0;
  let top = high;
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + top) / 2;
    if (isAbove(middle)) low = middle;
    else top = middle;
  }
  return top;
}

/**
 * The smallest multiple ε of 2^−40 such that a Gaussian mechanism with (Δ₂/σ)² = muSquared is (ε, δ)-DP,
 * certified in exact arithmetic and so rounded up. Monotone in muSquared and in δ.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8.
 * Direction: exact, rounded up.
 * Errors: parameter.invalid unless 2^-256 ≤ δ < 1.
 * @example toDouble(epsilonFromGaussian(ratio(1n), parseRational("1e-5")), "up") // => 4.377178095681…
 */
export function epsilonFromGaussian(muSquared: Rational, delta: Rational): Rational {
  checkTargetDelta(delta);
  if (muSquared.num === 0n) return zero;
  if (!(compare(muSquared, zero) > 0)) throw invalidParameter("muSquared", "negative", "≥ 0");
  if (compare(muSquared, largestMuSquared) > 0) {
    return epsilonFromRho(rhoFromGaussian(muSquared), delta);
  }
  return leastEpsilon(muSquared, delta);
}

const leastEpsilon = remembered(256, (muSquared: Rational, delta: Rational): Rational => {
  const mu = Math.sqrt(toDouble(muSquared, "up"));
  const target = Math.log(toDouble(delta, "up"));
  const guess = bisect(1 + mu * mu + mu * Math.sqrt(-2 * target), (x) => logDelta(mu, x) > target);
  const least = leastTrue(BigInt(Math.round(guess * Number(epsilonGrid))), (k) =>
    covers(muSquared, ratio(k, epsilonGrid), delta),
  );
  return ratio(least, epsilonGrid);
});

/**
 * The largest (Δ₂/σ)² whose price, {@link epsilonFromGaussian}, is at most ε at δ; rounded down, at 44 significant
 * bits. Any Gaussians whose Σ (Δ₂/σ)² stays within it cost at most ε together.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8, inverted.
 * Direction: exact, rounded down.
 * Errors: parameter.invalid unless 2^-256 ≤ δ < 1 and ε ≥ 2^−40.
 * @example 1 / Math.sqrt(toDouble(gaussianFromEpsilon(ratio(1n), parseRational("1e-5")), "down")) // => 3.7306316348…
 */
export function gaussianFromEpsilon(epsilon: Rational, delta: Rational): Rational {
  checkTargetDelta(delta);
  const asked = min(floorTo(epsilon, epsilonGrid), epsilonFromGaussian(largestMuSquared, delta));
  if (!(compare(asked, zero) > 0)) throw invalidParameter("epsilon", "too small", "at least 2^-40");
  return greatestMuSquared(asked, delta);
}

const greatestMuSquared = remembered(256, (asked: Rational, delta: Rational): Rational => {
  const target = Math.log(toDouble(delta, "down"));
  const wanted = toDouble(asked, "down");
  const mu = bisect(16, (x) => !(logDelta(x, wanted) > target));
  const guess = mu * mu;
  const grid = gridOf(guess);
  const greatest = greatestTrue(BigInt(Math.round(guess * 2 ** grid)), (k) => {
    const muSquared = dyadic(k, grid);
    return compare(muSquared, largestMuSquared) <= 0 && covers(muSquared, asked, delta);
  });
  if (greatest === 0n) throw invalidParameter("epsilon", "too small", "large enough for a finite σ");
  return dyadic(greatest, grid);
});

/** The number of binary places at which x, at most {@link largestMuSquared}, has 44 significant bits: never fewer than none. */
function gridOf(x: number): number {
  return 44 - Math.ceil(Math.log2(x));
}

function dyadic(k: bigint, places: number): Rational {
  return ratio(k, 1n << BigInt(places));
}

/**
 * The δ at which a Gaussian mechanism is (ε, δ)-DP, rounded up at a relative 2^−40.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8.
 * Direction: exact, rounded up.
 * @example toDouble(deltaFromGaussian(ratio(1n, 4n), ratio(1n, 2n)), "up") // => 0.052440323287…
 */
export function deltaFromGaussian(muSquared: Rational, epsilon: Rational): Rational {
  if (muSquared.num === 0n) return zero;
  for (let bits = 64; ; bits *= 2) {
    const bracket = gaussianDeltaBracket(muSquared, epsilon, bits);
    const narrow = compare(multiply(bracket.lo, add(ratio(1n), ratio(1n, epsilonGrid))), bracket.hi) >= 0;
    if (narrow || bits > 8192) return ceilTo(bracket.hi, 1n << BigInt(bits));
  }
}
