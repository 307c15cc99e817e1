import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { addedQuantile } from "../laws/noise-sum-law.ts";

/** A noisy integer and its interval, in grid units, exact. */
export interface IntegerInterval {
  readonly value: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
}

/** The noise of one measured total and what is publicly known of the true total. */
export interface TotalSetting {
  readonly noise: AddedNoise;
  readonly confidence: number;
  /** The least the true total can be, such as 0n for a count or for a sum of values ≥ 0. */
  readonly atLeast?: bigint;
  /** The most the true total can be, such as 0n for a sum of values ≤ 0. */
  readonly atMost?: bigint;
}

/**
 * Prepares total ↦ interval: total ± q with P[|Z| > q] ≤ 1 − confidence, cut to what is publicly possible. The value
 * itself is left alone, negative counts included, so that sums over releases stay unbiased. Where the release contradicts
 * the public range altogether, the interval is one q from the end of that range.
 * Source: the quantile of the noise that is drawn (Dwork & Roth 2014, Fact 3.7; A Cor 2.3).
 * Direction: upper, coverage never below what is asked.
 * @example totalIntervals({ noise: laplace2, confidence: 0.95, atLeast: 0n })(3n) // => { value: 3n, lower: 0n, upper: 9n }
 */
export function totalIntervals(setting: TotalSetting): (total: bigint) => IntegerInterval {
  const q = addedQuantile(setting.noise, exactAlpha(setting.confidence));
  const { atLeast, atMost } = setting;
  const clipped = (x: bigint): bigint =>
    atLeast !== undefined && x < atLeast ? atLeast : atMost !== undefined && x > atMost ? atMost : x;
  return (total) => {
    const nearest = clipped(total);
    const reach = nearest - total > q || total - nearest > q ? nearest : total;
    return { value: total, lower: clipped(reach - q), upper: clipped(reach + q) };
  };
}

/** The interval of one noisy count: {@link totalIntervals} at least 0. */
export function countInterval(request: {
  readonly count: bigint;
  readonly noise: AddedNoise;
  readonly confidence: number;
}): IntegerInterval {
  return totalIntervals({ ...request, atLeast: 0n })(request.count);
}

/** The interval of one noisy sum, in grid units: {@link totalIntervals}. */
export function sumInterval(request: TotalSetting & { readonly sum: bigint }): IntegerInterval {
  return totalIntervals(request)(request.sum);
}
