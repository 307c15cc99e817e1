import { divide, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { ndtr, ndtri } from "../../numeric/special/index.ts";
import { gaussianVariance } from "./gaussian-variance.ts";
import type { NoiseLaw } from "./noise-law.ts";
import { normalTailAtMost } from "./normal-tail-at-most.ts";
import { type QuantileRange, rangeAround } from "./quantile-range.ts";
import { smallestCertified } from "./smallest-certified.ts";

/** Z = round(σ·N) for a standard normal N, so P[|Z| > q] = P[|N| > (q + ½)/σ] exactly. */
export function roundedGaussianLaw(exactSigma: Rational): NoiseLaw {
  const sigma = toDouble(exactSigma, "up");
  const tail = (z: number): number => ndtr(-(z + 0.5) / sigma);
  const mass = (z: number): number => (z === 0 ? 1 - 2 * tail(0) : tail(z - 1) - tail(z));
  return {
    family: "gaussian",
    scale: sigma,
    coupling: 0.5,
    variance: () => gaussianVariance(sigma, sigma * sigma + 1 / 12, mass),
    mass,
    beyond: (z) => 2 * tail(z),
    quantile: (alpha) => roundedNormalQuantile(exactSigma, alpha),
    quantileRange: (alpha) => roundedNormalRange(sigma, toDouble(alpha, "down")),
  };
}

/**
 * The smallest q ≥ 0 with 2·Φ(−(q + ½)/σ) ≤ alpha, certified in exact arithmetic.
 * Source: the tail of the normal law at half integers (B Lemma 4.1 as an equality).
 * Direction: exact.
 */
export function roundedNormalQuantile(sigma: Rational, alpha: Rational): bigint {
  const oneSided = divide(alpha, ratio(2n));
  const guess = -toDouble(sigma, "up") * ndtri(toDouble(oneSided, "down")) - 0.5;
  return smallestCertified(guess, (q) => normalTailAtMost(divide(ratio(2n * q + 1n, 2n), sigma), oneSided));
}

/** Two doubles that {@link roundedNormalQuantile} lies between. */
export function roundedNormalRange(sigma: number, alpha: number): QuantileRange {
  return rangeAround(-sigma * ndtri(alpha / 2) - 0.5, sigma);
}
