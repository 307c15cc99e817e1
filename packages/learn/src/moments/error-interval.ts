import { doubleAt, ndtri } from "@lethe/core/numeric";
import type { NoiseShape } from "../statistics/noise-shape.ts";

/** A closed interval of an estimate. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Returns q with P[|Σ weightᵢ·Zᵢ + N| > q] ≈ 1 − confidence, N an independent Gaussian of variance `further`: the Gaussian quantile,
 * corrected for the fourth cumulant, so that a sum of few Laplace noises gets its heavier tails.
 * Source: Cornish & Fisher 1938. Direction: approximate; for one Laplace noise 2 % too wide at 95 %.
 */
export function errorQuantile(
  noises: readonly NoiseShape[],
  weights: Float64Array,
  confidence: number,
  further = 0,
): number {
  const parts = noises.map(({ variance, excess }, place) => ({
    variance: variance * doubleAt(weights, place) ** 2,
    excess,
  }));
  const variance = parts.reduce((total, part) => total + part.variance, further);
  if (variance === 0) return 0;
  const excess = parts.reduce((total, part) => total + part.excess * (part.variance / variance) ** 2, 0);
  const z = ndtri((1 + confidence) / 2);
  return Math.sqrt(variance) * Math.max(0, z + (Math.min(excess, mostExcess) * (z ** 3 - 3 * z)) / 24);
}

/** That of Laplace noise of a scale of about 1: for coarser integers the expansion would no longer fit. */
const mostExcess = 4;
