import { noiseVariance } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";

/** What is known of an independent, symmetric noise with mean 0. */
export interface NoiseShape {
  readonly variance: number;
  /** E[Z⁴]/E[Z²]² − 3: 0 for a Gaussian, 3 and more for Laplace noise. */
  readonly excess: number;
}

/**
 * Returns the shape of step times a plan's integer noise. Discrete Laplace noise is the difference of two geometric variables, so its excess is
 * 3 + 1/E[Z²]; integer Gaussians have an excess of at most 0, up to the rounding of σ < 1, and are given 0.
 * @example noiseShape({ mechanism: "rounded-gaussian@1", sigma: "4" }, 0.5) // => { variance: 4.0208, excess: 0 }
 */
export function noiseShape(noise: Noise, step: number): NoiseShape {
  const variance = noiseVariance(noise);
  const peaked = noise.mechanism === "discrete-laplace@1" && variance > 0;
  return { variance: variance * step * step, excess: peaked ? 3 + 1 / variance : 0 };
}
