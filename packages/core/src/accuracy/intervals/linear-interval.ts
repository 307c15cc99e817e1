import { invalidParameter } from "../../errors/lethe-error.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded, scaleOfDraw } from "../laws/noise-sum-law.ts";
import { type ConfidenceInterval, clip } from "./confidence-interval.ts";

/** More noises than this are not summed: the weights of their partial fractions would eat the doubles' digits. */
export const mostNoises = 4;

/** A sum constant + Σ weightᵢ·totalᵢ of measured totals with independent noises. */
export interface LinearSetting {
  readonly noises: readonly AddedNoise[];
  readonly weights: readonly number[];
  readonly constant: number;
  readonly confidence: number;
  /** The least and the most that the true sum can be, where that is public. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * Prepares noisy totals ↦ constant + Σ weightᵢ·totalᵢ ± q, q the quantile of |Σ weightᵢ·Zᵢ| under the noises' own laws,
 * cut to what is publicly possible: narrower than the intervals of the totals taken together.
 * Source: the law of a weighted sum of the noises that are drawn (Birnbaum 1948; Anderson 1955).
 * Direction: upper, coverage never below what is asked.
 * Errors: parameter.invalid for weights that are not finite or not one a noise, and for more than four noises.
 * @example linearIntervals({ noises: [lap2, lap2], weights: [1, -1], constant: 0, confidence: 0.95 })([100n, 40n])
 */
export function linearIntervals(setting: LinearSetting): (totals: readonly bigint[]) => ConfidenceInterval {
  const { weights, constant } = setting;
  checkWeights(setting.noises, weights);
  const { noises, order } = coarseFirst(setting.noises);
  const quantile = quantileOfAdded(noises, exactAlpha(setting.confidence));
  const whole = weights.every(Number.isInteger);
  const radius = quantile(order.map((at) => elementAt(weights, at)));
  // A whole number within ±11.3 is within ±11.
  const reach = whole ? Math.floor(radius) : radius;
  const possible = {
    lo: setting.atLeast ?? Number.NEGATIVE_INFINITY,
    hi: setting.atMost ?? Number.POSITIVE_INFINITY,
  };
  return (totals) => {
    const parts = totals.map((total, at) => Number(total) * elementAt(weights, at));
    const value = parts.reduce((sum, part) => sum + part, constant);
    const size = parts.reduce((sum, part) => sum + Math.abs(part), Math.abs(constant));
    const q = whole && size < 2 ** 52 ? reach : reach + size * 2 ** -49;
    const nearest = clip(value, possible);
    const centre = Math.abs(nearest - value) > q ? nearest : value;
    return { value, lower: clip(centre - q, possible), upper: clip(centre + q, possible) };
  };
}

/** Errors: parameter.invalid. */
export function checkWeights(noises: readonly AddedNoise[], weights: readonly number[]): void {
  if (!(noises.length >= 1 && noises.length <= mostNoises)) {
    throw invalidParameter("noises", noises.length, `1 to ${mostNoises} noises`);
  }
  if (!(weights.length === noises.length && weights.every(Number.isFinite))) {
    throw invalidParameter("weights", weights.join(", "), "one finite weight a noise");
  }
}

/** The noise of the smallest scale goes last, where a sum of noises takes it value by value. */
export function coarseFirst(noises: readonly AddedNoise[]): {
  readonly noises: readonly AddedNoise[];
  readonly order: readonly number[];
} {
  const scales = noises.map(scaleOfDraw);
  const order = noises.map((_, at) => at).sort((a, b) => elementAt(scales, b) - elementAt(scales, a));
  return { noises: order.map((at) => elementAt(noises, at)), order };
}
