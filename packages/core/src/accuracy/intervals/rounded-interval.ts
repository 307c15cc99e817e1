import { elementAt } from "../../numeric/elements/element-at.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import { checkWeights, coarseFirst, type LinearSetting } from "./linear-interval.ts";
import type { IntegerInterval } from "./total-interval.ts";

/** A whole number that is read from measured totals with independent noises: the integer nearest to Σ weightᵢ·totalᵢ. */
export interface RoundedSetting extends Pick<LinearSetting, "noises" | "weights" | "confidence"> {
  /** The least the true number can be, such as 0n for a count. */
  readonly atLeast?: bigint;
  /** The most the true number can be. */
  readonly atMost?: bigint;
}

/**
 * Prepares the rounded number ↦ interval: number ± ⌊q + ½⌋, q the quantile of |Σ weightᵢ·Zᵢ| under the noises' own laws, cut to what is publicly
 * possible as in {@link totalIntervals}. The true Σ weightᵢ·totalᵢ is an integer n, so that the number is n plus the noise rounded to an integer, and
 * |e| ≤ q makes |round(e)| ≤ ⌊q + ½⌋. Where all weights are integers nothing is rounded, and the reach is ⌊q⌋.
 * Source: the law of a weighted sum of the noises that are drawn (Birnbaum 1948; Anderson 1955); rounding is post-processing.
 * Direction: upper, coverage never below what is asked.
 * Errors: parameter.invalid for weights that are not finite or not one a noise, and for more than four noises.
 * @example roundedIntervals({ noises: [lap100, lap100], weights: [0.01, 0.01], confidence: 0.95, atLeast: 0n })(3n)
 */
export function roundedIntervals(setting: RoundedSetting): (number: bigint) => IntegerInterval {
  const { weights, atLeast, atMost } = setting;
  checkWeights(setting.noises, weights);
  const { noises, order } = coarseFirst(setting.noises);
  const quantile = quantileOfAdded(noises, exactAlpha(setting.confidence));
  // The quotient of two integers is a double but for 2⁻⁵³ of it.
  const q = quantile(order.map((at) => elementAt(weights, at))) * (1 + 2 ** -50);
  const reach = BigInt(Math.floor(weights.every(Number.isInteger) ? q : q + 0.5));
  const clipped = (x: bigint): bigint =>
    atLeast !== undefined && x < atLeast ? atLeast : atMost !== undefined && x > atMost ? atMost : x;
  return (number) => {
    const nearest = clipped(number);
    const centre = nearest - number > reach || number - nearest > reach ? nearest : number;
    return { value: number, lower: clipped(centre - reach), upper: clipped(centre + reach) };
  };
}
