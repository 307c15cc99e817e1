import { type BitSource, type Rational, ratio, toDouble } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { roundedGaussian } from "@lethe/core/samplers";

/** Gradients are integers in units of 2^−10 of the clipping norm, and stay within it after rounding. */
const clip = 1024;

export interface NoisyDescent {
  readonly steps: number;
  /** The chance with which each step takes each example, by its own coin. */
  readonly rate: Rational;
  /** The σ of the noise on a step's sum of clipped gradients, in clipping norms. */
  readonly sigma: Rational;
  readonly pace: number;
}

/**
 * DP-SGD of a linear model by squared loss, on canaries alone: each has a feature of its own and the label 1, so its gradient is along
 * one weight, and the weight it ends with is what it left behind. Poisson batches, clipped sums on an integer grid, the rounding of a
 * Gaussian on every weight, a fixed normaliser, and a step even where the batch is empty.
 * Source: Abadi et al. 2016; canaries along one weight each: Nasr et al. 2023.
 */
export function noisyDescent({
  steps,
  rate,
  sigma,
  pace,
}: NoisyDescent): (included: readonly boolean[], bits: BitSource) => readonly number[] {
  const noise = roundedGaussian(ratio(sigma.num * BigInt(clip), sigma.den));
  const threshold = toDouble(rate, "down") * 2 ** 32;
  return (included, bits) => {
    const canaries = included.map((isIn) => ({ isIn, weight: 0 }));
    const drawn = new Float64Array(included.length);
    for (let step = 0; step < steps; step += 1) {
      noise.fill(drawn, bits);
      for (const [at, canary] of canaries.entries()) {
        const taken = bits.word() < threshold && canary.isIn;
        const along = Math.round(clip * (1 - canary.weight));
        const gradient = taken ? Math.max(-clip, Math.min(clip, along)) : 0;
        canary.weight += (pace * (gradient + elementAt(drawn, at))) / clip;
      }
    }
    return canaries.map(({ weight }) => weight);
  };
}
