import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "./noise-laws.ts";

/**
 * E[Z²] of a plan's integer noise, under the mass function that is drawn:
 *   discrete Laplace 1/(2·sinh²(1/2s)); rounded Gaussian σ² + 1/12 and discrete Gaussian σ², both for σ ≥ 3, and their sums below.
 * Source: Ghosh, Roughgarden & Sundararajan 2009; Canonne, Kamath & Steinke 2020, Sec. 2; Poisson summation.
 * Direction: exact, in doubles (relative 1e-12).
 * @example noiseVariance({ mechanism: "discrete-laplace@1", scale: "2" }) // => 7.83539617807
 */
export function noiseVariance(noise: Noise): number {
  return noiseLaw(noise).variance();
}
