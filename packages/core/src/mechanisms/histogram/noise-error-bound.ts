import { leastTrue } from "../../conversions/search/search.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { normalTailBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toDouble,
} from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { checkAlpha, laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import type { Noise } from "../noise.ts";
import { rootUp } from "../root.ts";

function read(text: string, name: string): Rational {
  const value = parseRational(text, name);
  checkPositive(name, value);
  return value;
}

const half = ratio(1n, 2n);

/** The least r ≥ 0 with 2·Q((r + offset)/σ) ≤ alpha. */
function normalReach(sigma: Rational, alpha: Rational, offset: Rational): bigint {
  const bits = 64 + Math.ceil(-Math.log2(toDouble(alpha, "down")));
  const goal = multiply(alpha, half);
  const fits = (r: bigint): boolean =>
    compare(normalTailBracket(divide(add(ratio(r), offset), sigma), bits).hi, goal) <= 0;
  const guess = toDouble(sigma, "up") * Math.sqrt(-2 * Math.log(toDouble(alpha, "down")));
  return leastTrue(BigInt(Math.min(2 ** 60, Math.floor(guess))), fits);
}

const reaches: {
  readonly [M in Noise["mechanism"]]: (noise: Extract<Noise, { mechanism: M }>, alpha: Rational) => bigint;
} = {
  "constant@1": () => 0n,
  "discrete-laplace@1": ({ scale }, alpha) => laplaceErrorBound(read(scale, "scale"), alpha),
  "rounded-gaussian@1": ({ sigma }, alpha) => normalReach(read(sigma, "sigma"), alpha, half),
  // Σ_{z>r} e^(−z²/2σ²) is at most the integral from r, and the sum over all z at least √(2πσ²) (Poisson summation).
  "discrete-gaussian@1": ({ sigmaSquared }, alpha) =>
    normalReach(rootUp(read(sigmaSquared, "sigmaSquared")), alpha, ratio(0n)),
};

/**
 * An r with P[|Z| > r] ≤ alpha for one draw Z: the least one for discrete Laplace and rounded Gaussian noise, at most one above
 * it for the discrete Gaussian.
 * Source: Dwork & Roth 2014, Fact 3.7 (A Fact 2.2) and the normal tail, from the mass functions that are drawn.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < alpha < 1 and the noise is a known one.
 * @example noiseErrorBound({ mechanism: "discrete-laplace@1", scale: "10" }, ratio(1n, 20n)) // => 30n
 */
export function noiseErrorBound(noise: Noise, alpha: Rational): bigint {
  checkAlpha(alpha);
  if (!Object.hasOwn(reaches, noise.mechanism)) {
    throw invalidParameter("noise", noise.mechanism, `one of ${Object.keys(reaches).join(", ")}`);
  }
  return reaches[noise.mechanism](noise as never, alpha);
}
