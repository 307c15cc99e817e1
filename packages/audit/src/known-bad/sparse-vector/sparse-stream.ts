import type { BitSource, Rational } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import type { Output } from "../../subject.ts";

/** The parameters in which the published variants of the sparse vector differ (Lyu, Su & Li 2017, Fig. 1). */
export interface SparseVariant {
  readonly thresholdScale: Rational;
  /** The scale of each comparison's noise; null for comparisons without noise. */
  readonly comparisonScale: Rational | null;
  /** The number of answers "above" after which it stops; null for never. */
  readonly cap: number | null;
  /** Whether "above" comes with the very noisy value that was compared. */
  readonly numbers: boolean;
}

/** Returns a sparse vector with threshold 0: a noisy value that reaches the noisy threshold is "above". */
export function sparseStream(variant: SparseVariant): (values: readonly bigint[], bits: BitSource) => Output {
  const thresholdNoise = discreteLaplace(variant.thresholdScale);
  const noise = variant.comparisonScale === null ? null : discreteLaplace(variant.comparisonScale);
  return (values, bits) => {
    const threshold = thresholdNoise.sample(bits);
    const told: Output[number][] = [];
    let left = variant.cap ?? Number.POSITIVE_INFINITY;
    for (const value of values) {
      const noisy = value + (noise?.sample(bits) ?? 0n);
      const above = noisy >= threshold;
      told.push(above && variant.numbers ? noisy : above);
      if (above) left -= 1;
      if (left === 0) break;
    }
    return told;
  };
}
