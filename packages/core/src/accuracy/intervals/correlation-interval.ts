import { multiply, ratio, subtract, toDouble } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { averageSets, checkedHalf } from "./average-interval.ts";
import { clip, type Range } from "./confidence-interval.ts";
import { bothQuantiles, pivotRatios } from "./pivot-ratios.ts";
import { farthest, only, plus, scaledBy, squared, times } from "./range-arithmetic.ts";
import type { SlopeMeasured, SlopeSetting } from "./slope-interval.ts";
import { varianceIntervals } from "./variance-interval.ts";

/** The measurements of a correlation: those of a slope, and R = Σ ((kⱼ − otherMid)² − otherOffset). */
export interface CorrelationSetting extends SlopeSetting {
  readonly otherOffset: bigint;
  readonly otherSquaresNoise: AddedNoise;
}

/** Noisy P, S, T, Q, R and C of one group. */
export interface CorrelationMeasured extends SlopeMeasured {
  readonly otherSquares: bigint;
}

/** A correlation is looked for in here, and then cut to ±1: bad luck may leave only what is beyond. */
const beyond = { lo: -4, hi: 4 };
const whole = { lower: -1, upper: 1 };

/**
 * Prepares (P̃, S̃, T̃, Q̃, R̃, C̃) ↦ the range of the correlation r = covariance/√(v·w), within ±1; v and w are the variances of x
 * and y.
 *
 * √(v·w) is the least of (κ·w + v/κ)/2, at κ = √(v/w). With that κ, and m and l as in {@link slopeIntervals},
 *   P̃ − m·T̃ − l·S̃ + m·l·C̃ − r/2·(κ·(R̃ − 2l·T̃ + (l² + otherOffset)·C̃) + (Q̃ − 2m·S̃ + (m² + offset)·C̃)/κ)
 *     = N_P + (r·κ·l − m)·N_T + (r·m/κ − l)·N_S + (m·l − r/2·(κ·(l² + otherOffset) + (m² + offset)/κ))·N_C
 *       − r·κ/2·N_R − r/(2κ)·N_Q
 * holds at the true r, whatever the data. To first order in the noise its left side moves with none of m, l and κ: with κ
 * because it is at its least there. The range is the hull of the r accepted for some m and l that S̃ and T̃ accept and some κ
 * that the intervals of v and w allow. The chances of error add up (Bonferroni): a 48th of 1 − confidence goes to each average
 * and each variance, the rest to the pivot. Coverage ≥ confidence at every group size; ±1 where the noise drowns a variance.
 * Source: a pivot in the manner of Fieller 1954 with its nuisances bounded by four more, joined by Bonferroni's inequality.
 * Direction: upper, coverage never below what is asked.
 * @example correlationIntervals({ half: 30n, otherHalf: 9n, offset: 450n, otherOffset: 40n, productsNoise, sumNoise, otherSumNoise, squaresNoise, otherSquaresNoise, countNoise, confidence: 0.95 })
 */
export function correlationIntervals(
  setting: CorrelationSetting,
): (measured: CorrelationMeasured) => { readonly lower: number; readonly upper: number } {
  const [half, otherHalf] = [checkedHalf(setting.half), checkedHalf(setting.otherHalf)];
  const [offset, otherOffset] = [Number(setting.offset), Number(setting.otherOffset)];
  const { sumNoise, otherSumNoise, countNoise } = setting;
  const alpha = exactAlpha(setting.confidence);
  const part = multiply(alpha, ratio(1n, 48n));
  const means = averageSets({ half: setting.half, sumNoise, countNoise }, part);
  const others = averageSets({ half: setting.otherHalf, sumNoise: otherSumNoise, countNoise }, part);
  const each = { countNoise, population: true, confidence: 1 - toDouble(part, "down") * (1 - 1e-9) };
  const variances = varianceIntervals({
    ...{ ...each, half: setting.half, offset: setting.offset },
    ...{ squaresNoise: setting.squaresNoise, sumNoise },
  });
  const otherVariances = varianceIntervals({
    ...{ ...each, half: setting.otherHalf, offset: setting.otherOffset },
    ...{ squaresNoise: setting.otherSquaresNoise, sumNoise: otherSumNoise },
  });
  const quantile = bothQuantiles(
    [
      ...[setting.productsNoise, setting.squaresNoise, setting.otherSquaresNoise],
      ...[otherSumNoise, sumNoise, countNoise],
    ],
    subtract(alpha, multiply(part, ratio(4n))),
  );
  const radius = (mean: Some, other: Some, scale: Some, r: Some, rough: boolean): number => {
    const inverse = { lo: 1 / scale.hi, hi: 1 / scale.lo };
    const spreads = plus(
      times(scale, plus(squared(other), only(otherOffset))),
      times(inverse, plus(squared(mean), only(offset))),
    );
    return quantile(
      [
        1,
        farthest(r) * (inverse.hi / 2),
        farthest(r) * (scale.hi / 2),
        farthest(plus(times(r, times(scale, other)), scaledBy(-1, mean))),
        farthest(plus(times(r, times(inverse, mean)), scaledBy(-1, other))),
        farthest(plus(times(mean, other), scaledBy(-0.5, times(r, spreads)))),
      ],
      rough,
    );
  };
  return ({ products, sum, otherSum, squares, otherSquares, count }) => {
    const [p, s, t, c] = [products, sum, otherSum, count].map(Number) as [number, number, number, number];
    const mean = means.accepted(s, c);
    const other = others.accepted(t, c);
    if (!(c > 0) || mean === null || other === null) return whole;
    const [v, w] = [
      variances({ squares, sum, count }),
      otherVariances({ squares: otherSquares, sum: otherSum, count }),
    ];
    const scale = {
      lo: Math.sqrt(v.lower / w.upper) * (1 - 2 ** -48),
      hi: Math.sqrt(v.upper / w.lower) * (1 + 2 ** -48),
    };
    if (!(scale.lo > 0 && scale.hi < Number.POSITIVE_INFINITY)) return whole;
    const [a, b] = [plus(only(s), scaledBy(-c, mean)), plus(only(t), scaledBy(-c, other))];
    const above = plus(only(p - (s * t) / c), scaledBy(1 / c, times(a, b)));
    const [x, y] = [
      plus(only(Number(squares) + offset * c - (s * s) / c), scaledBy(1 / c, squared(a))),
      plus(only(Number(otherSquares) + otherOffset * c - (t * t) / c), scaledBy(1 / c, squared(b))),
    ];
    const spreadAt = (k: number, over: number, under: number): number => (k * over + under / k) / 2;
    // Least where both are equal, or at an end of the range; largest at an end.
    const middle = clip(Math.sqrt(Math.max(0, x.lo) / Math.max(0, y.lo)) || scale.lo, scale);
    const below = {
      lo: Math.min(...[scale.lo, middle, scale.hi].map((k) => spreadAt(k, y.lo, x.lo))),
      hi: Math.max(...[scale.lo, scale.hi].map((k) => spreadAt(k, y.hi, x.hi))),
    };
    if (!(below.lo > 0)) return whole;
    const [m, l] = [Math.abs(s / c), Math.abs(t / c)];
    const roundedAbove = 2 ** -46 * (Math.abs(p) + (half * otherHalf + m * l) * c);
    const roundedBelow =
      2 ** -46 *
      (scale.hi * (Math.abs(Number(otherSquares)) + (otherHalf * otherHalf + otherOffset + l * l) * c) +
        (Math.abs(Number(squares)) + (half * half + offset + m * m) * c) / scale.lo);
    const range = pivotRatios(
      {
        above,
        below,
        radius: (r, rough) =>
          radius(mean, other, scale, r, rough) + roundedAbove + farthest(r) * roundedBelow,
      },
      beyond,
    );
    return range ? cutTo(range) : whole;
  };
}

type Some = NonNullable<Range>;

/** Cut to ±1; where the noise contradicts all of it, half the width from its end: bad luck is no certainty. */
function cutTo({ lo, hi }: Some): { readonly lower: number; readonly upper: number } {
  const reach = Math.min(2, (hi - lo) / 2);
  if (hi < -1) return { lower: -1, upper: -1 + reach };
  if (lo > 1) return { lower: 1 - reach, upper: 1 };
  return { lower: Math.max(lo, -1), upper: Math.min(hi, 1) };
}
