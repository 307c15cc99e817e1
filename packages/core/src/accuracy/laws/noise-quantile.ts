import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../../mechanisms/noise.ts";
import { fromDouble, one, type Rational, subtract } from "../../numeric/rational.ts";
import { noiseLaw } from "./noise-laws.ts";
import type { QuantileRange } from "./quantile-range.ts";

/**
 * The smallest integer q (grid units) with P[|Z| ≤ q] ≥ confidence under the mass function that is really drawn,
 * certified in exact arithmetic; for a discrete Gaussian the smallest that the bounds in its law can certify.
 * Source: the mass function that is drawn; for Laplace Dwork & Roth 2014, Fact 3.7 (A Fact 2.2), for Gaussians A
 * Fact 2.8 as an exact tail.
 * Direction: exact for Laplace and rounded Gaussian noise, rounded up for the discrete Gaussian.
 * Errors: parameter.invalid unless 0 < confidence < 1.
 * @example noiseQuantile({ mechanism: "discrete-laplace@1", scale: "10" }, 0.95) // => 30n
 */
export function noiseQuantile(noise: Noise, confidence: number): bigint {
  return noiseLaw(noise).quantile(exactAlpha(confidence));
}

/**
 * Two doubles that {@link noiseQuantile} lies between, without exact arithmetic: enough to tell which of two noises is wider, unless they are
 * nearly alike. Errors: parameter.invalid unless 0 < confidence < 1.
 * @example noiseQuantileRange({ mechanism: "discrete-laplace@1", scale: "10" }, 0.95) // => { least: 30, most: 30 }
 */
export function noiseQuantileRange(noise: Noise, confidence: number): QuantileRange {
  return noiseLaw(noise).quantileRange(exactAlpha(confidence));
}

/** 1 − confidence, exactly. */
export function exactAlpha(confidence: number): Rational {
  if (!(confidence > 0 && confidence < 1)) {
    throw invalidParameter("confidence", confidence, "between 0 and 1, both excluded");
  }
  return subtract(one, fromDouble(confidence));
}
