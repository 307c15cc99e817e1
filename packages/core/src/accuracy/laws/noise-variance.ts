import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "./noise-laws.ts";

/** The least σ from which the variance of an integer Gaussian equals its limit but for e^(−2π²σ²) < 1e-78. */
const limitFrom = 3;

/**
 * E[Z²] of a plan's integer noise, under the mass function that is drawn:
 *   discrete Laplace 1/(2·sinh²(1/2s)); rounded Gaussian σ² + 1/12 and discrete Gaussian σ², both for σ ≥ 3, and their sums below.
 * Source: Ghosh, Roughgarden & Sundararajan 2009; Canonne, Kamath & Steinke 2020, Sec. 2; Poisson summation.
 * Direction: exact, in doubles (relative 1e-12).
 * @example noiseVariance({ mechanism: "discrete-laplace@1", scale: "2" }) // => 7.83539617807
 */
export function noiseVariance(noise: Noise): number {
  const law = noiseLaw(noise);
  if (law.family === "none") return 0;
  if (noise.mechanism === "discrete-laplace@1") return 0.5 / Math.sinh(0.5 / law.scale) ** 2;
  if (law.scale >= limitFrom) {
    return law.scale * law.scale + (noise.mechanism === "rounded-gaussian@1" ? 1 / 12 : 0);
  }
  let total = 0;
  for (let z = Math.ceil(40 * law.scale) + 1; z >= 1; z--) total += 2 * z * z * law.mass(z);
  return total;
}
