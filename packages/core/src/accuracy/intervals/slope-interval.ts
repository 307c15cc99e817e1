import { multiply, ratio, subtract } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { averageSets, checkedHalf } from "./average-interval.ts";
import type { Range } from "./confidence-interval.ts";
import { bothQuantiles, farthestRatio, type PivotRatio, pivotRatios } from "./pivot-ratios.ts";
import { farthest, only, plus, scaledBy, squared, times } from "./range-arithmetic.ts";

/**
 * The measurements of a slope of y over x: P = Σ (iⱼ − mid)(kⱼ − otherMid), S = Σ (iⱼ − mid), T = Σ (kⱼ − otherMid),
 * Q = Σ ((iⱼ − mid)² − offset) and the count C of the same rows, i being x's grid integers and k those of y, |iⱼ − mid| ≤ half,
 * |kⱼ − otherMid| ≤ otherHalf, each with its own noise.
 */
export interface SlopeSetting {
  readonly half: bigint;
  readonly otherHalf: bigint;
  readonly offset: bigint;
  readonly productsNoise: AddedNoise;
  readonly sumNoise: AddedNoise;
  readonly otherSumNoise: AddedNoise;
  readonly squaresNoise: AddedNoise;
  readonly countNoise: AddedNoise;
  readonly confidence: number;
}

/** Noisy P, S, T, Q and C of one group. */
export interface SlopeMeasured {
  readonly products: bigint;
  readonly sum: bigint;
  readonly otherSum: bigint;
  readonly squares: bigint;
  readonly count: bigint;
}

/**
 * Prepares (P̃, S̃, T̃, Q̃, C̃) ↦ the range of the slope b = covariance/variance of x, y's grid units a unit of x's, or null where
 * the noise does not separate the variance from 0.
 *
 * With m and l the true averages less their middles, C·covariance is P − m·T − l·S + m·l·C and C·variance is
 * Q − 2m·S + (m² + offset)·C, so that b makes this hold, in the manner of Fieller 1954, whatever the data:
 *   P̃ − m·T̃ − l·S̃ + m·l·C̃ − b·(Q̃ − 2m·S̃ + (m² + offset)·C̃)
 *     = N_P − m·N_T + (2b·m − l)·N_S + (m·l − b·(m² + offset))·N_C − b·N_Q
 * With A = S̃ − m·C̃ and B = T̃ − l·C̃ its left side is
 *   P̃ − S̃·T̃/C̃ + A·B/C̃ − b·(Q̃ + offset·C̃ − S̃²/C̃ + A²/C̃)
 * and so moves with m and l by products of two noises alone. The range is the hull of the b that are accepted for some m and l
 * that S̃ and T̃ accept. The chances of error add up (Bonferroni): a 48th of 1 − confidence goes to each average, the rest to the
 * pivot. Coverage ≥ confidence at every group size.
 * Source: a pivot in the manner of Fieller 1954 with its nuisances bounded by two more, joined by Bonferroni's inequality.
 * Direction: upper, coverage never below what is asked.
 * @example slopeIntervals({ half: 30n, otherHalf: 9n, offset: 450n, productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise, confidence: 0.95 })
 */
export function slopeIntervals(
  setting: SlopeSetting,
): (measured: SlopeMeasured) => { readonly lower: number; readonly upper: number } | null {
  const [half, otherHalf] = [checkedHalf(setting.half), checkedHalf(setting.otherHalf)];
  const offset = Number(setting.offset);
  const { sumNoise, otherSumNoise, countNoise } = setting;
  const alpha = exactAlpha(setting.confidence);
  const part = multiply(alpha, ratio(1n, 48n));
  const means = averageSets({ half: setting.half, sumNoise, countNoise }, part);
  const others = averageSets({ half: setting.otherHalf, sumNoise: otherSumNoise, countNoise }, part);
  const quantile = bothQuantiles(
    [setting.productsNoise, setting.squaresNoise, otherSumNoise, sumNoise, countNoise],
    subtract(alpha, multiply(part, ratio(2n))),
  );
  const radius = (mean: Some, other: Some, b: Some, rough: boolean): number =>
    quantile(
      [
        1,
        farthest(b),
        farthest(mean),
        farthest(plus(scaledBy(2, times(b, mean)), scaledBy(-1, other))),
        farthest(plus(times(mean, other), scaledBy(-1, times(b, plus(squared(mean), only(offset)))))),
      ],
      rough,
    );
  return ({ products, sum, otherSum, squares, count }) => {
    const [p, s, t, q] = [Number(products), Number(sum), Number(otherSum), Number(squares)];
    const c = Number(count);
    const mean = means.accepted(s, c);
    const other = others.accepted(t, c);
    if (!(c > 0) || mean === null || other === null) return null;
    const [a, b] = [plus(only(s), scaledBy(-c, mean)), plus(only(t), scaledBy(-c, other))];
    const above = plus(only(p - (s * t) / c), scaledBy(1 / c, times(a, b)));
    const below = plus(only(q + offset * c - (s * s) / c), scaledBy(1 / c, squared(a)));
    const roundedAbove = 2 ** -46 * (Math.abs(p) + (half * otherHalf + Math.abs((s / c) * (t / c))) * c);
    const roundedBelow = 2 ** -46 * (Math.abs(q) + (half * half + offset + (s / c) ** 2) * c);
    // What the pivot's weights tend to, over b, for the largest slopes.
    const alone = quantile([0, 1, 0, 2 * farthest(mean), farthest(squared(mean)) + offset], false);
    if (!(below.lo > alone)) return null;
    const pivot: PivotRatio = {
      above,
      below,
      radius: (slopes, rough) =>
        radius(mean, other, slopes, rough) + roundedAbove + farthest(slopes) * roundedBelow,
    };
    const most = farthestRatio(pivot);
    const range = most === null ? null : pivotRatios(pivot, { lo: -most, hi: most });
    return range && { lower: range.lo, upper: range.hi };
  };
}

type Some = NonNullable<Range>;
