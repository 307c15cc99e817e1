import { multiply, type Rational, ratio, subtract } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { addedQuantile, quantileOfAdded } from "../laws/noise-sum-law.ts";
import { averageSets, checkedHalf } from "./average-interval.ts";
import {
  type ConfidenceInterval,
  clip,
  hull,
  intersect,
  type Range,
  reported,
  solveLinear,
} from "./confidence-interval.ts";

/**
 * The measurements of a variance: Q = Σ ((iⱼ − mid)² − offset), S = Σ (iⱼ − mid) with |iⱼ − mid| ≤ half, and the count C, each
 * with its own noise. Grid units (Q and offset: squared).
 */
export interface VarianceSetting {
  readonly half: bigint;
  readonly offset: bigint;
  readonly squaresNoise: AddedNoise;
  readonly sumNoise: AddedNoise;
  readonly countNoise: AddedNoise;
  /** true: divided by C; false: by C − 1. */
  readonly population: boolean;
  readonly confidence: number;
}

/** Noisy Q, S and C of one group. */
export interface VarianceMeasured {
  readonly squares: bigint;
  readonly sum: bigint;
  readonly count: bigint;
}

/**
 * Prepares (Q̃, S̃, C̃) ↦ estimate and interval of the variance v, within [0, half²] (sample variance: [0, 2·half²]).
 *
 * With m the true average less mid, three pivots hold at once for every group, in the manner of Fieller 1954:
 *   S̃ − m·C̃ = N_S − m·N_C            Q̃ − (v + m² − offset)·C̃ = N_Q − (v + m² − offset)·N_C
 *   Q̃ − 2m·S̃ − (v − m² − offset)·C̃ = N_Q − 2m·N_S − (v − m² − offset)·N_C
 * The interval is the hull of the v that all three accept for some m. The last is the sharp one, right to first order in
 * the noise; the others keep m, and m together with v, from wandering. A sample variance also multiplies by C/(C − 1) for
 * every C ≥ 2 that C̃ accepts. The chances of error add up (Bonferroni): a 32nd of 1 − confidence goes to each side
 * condition, the rest to the sharp pivot. Coverage ≥ confidence at every group size.
 * Groups that are truly too small to have a variance: as in averageIntervals.
 * Source: three pivots in the manner of Fieller 1954, joined by Bonferroni's inequality.
 * Direction: upper, coverage never below what is asked.
 * @example varianceIntervals({ half: 30n, offset: 450n, squaresNoise, sumNoise, countNoise, population: true, confidence: 0.95 })
 */
export function varianceIntervals(
  setting: VarianceSetting,
): (measured: VarianceMeasured) => ConfidenceInterval {
  const half = checkedHalf(setting.half);
  const alpha = exactAlpha(setting.confidence);
  const part = multiply(alpha, ratio(1n, 32n));
  const means = averageSets(setting, part);
  const moments = averageSets(
    { half: mostMoment(setting), sumNoise: setting.squaresNoise, countNoise: setting.countNoise },
    part,
  );
  const rest = subtract(alpha, multiply(part, ratio(setting.population ? 2n : 3n)));
  const variances = varianceSets(setting, rest);
  const countRadius = setting.population ? 0 : Number(addedQuantile(setting.countNoise, part));
  const most = half * half;
  return ({ squares, sum, count }) => {
    const [q, s, c] = [Number(squares), Number(sum), Number(count)];
    const rows = Math.max(c, 1);
    const mean = clip(s / rows, { lo: -half, hi: half });
    const estimate = q / rows + Number(setting.offset) - mean * mean;
    const accepted = variances.accepted(q, s, c, means.accepted(s, c), moments.accepted(q, c));
    const halfWidth = c > 0 ? variances.radius(mean, clip(estimate, { lo: 0, hi: most })) / c : most;
    const population = reported(accepted, { lo: 0, hi: most }, estimate, halfWidth);
    if (setting.population) return population;
    // n/(n − 1) falls as n grows.
    const factor = (n: number): number => n / (Math.max(n, 2) - 1);
    const lower = population.lower * factor(Math.max(c + countRadius, 2));
    const upper = population.upper * factor(Math.max(c - countRadius, 2));
    return { value: clip(population.value * factor(Math.max(c, 2)), { lo: lower, hi: upper }), lower, upper };
  };
}

/**
 * Standard deviations: the square roots of {@link varianceIntervals}, within [0, half].
 * Source: the square root of the interval of a variance.
 * Direction: upper, coverage never below what is asked.
 */
export function stddevIntervals(
  setting: VarianceSetting,
): (measured: VarianceMeasured) => ConfidenceInterval {
  const variance = varianceIntervals(setting);
  return (measured) => {
    const { value, lower, upper } = variance(measured);
    return { value: Math.sqrt(value), lower: Math.sqrt(lower), upper: Math.sqrt(upper) };
  };
}

/** {@link varianceIntervals} for one group. */
export function varianceInterval(request: VarianceSetting & VarianceMeasured): ConfidenceInterval {
  return varianceIntervals(request)(request);
}

/** {@link stddevIntervals} for one group. */
export function stddevInterval(request: VarianceSetting & VarianceMeasured): ConfidenceInterval {
  return stddevIntervals(request)(request);
}

/** Weights of the pivot are rounded up to multiples of 1/256 of their largest, where its quantile is remembered. */
const steps = 256;
/** The accepted means are looked at in at most this many pieces. */
const pieces = 16;

/** The largest |(i − mid)² − offset|. */
function mostMoment({ half, offset }: VarianceSetting): bigint {
  const above = half * half - offset;
  return above > offset ? above : offset;
}

interface VarianceSets {
  accepted(squares: number, sum: number, count: number, means: Range, moments: Range): Range;
  radius(mean: number, variance: number): number;
}

function varianceSets(setting: VarianceSetting, alpha: Rational): VarianceSets {
  const half = checkedHalf(setting.half);
  const offset = Number(setting.offset);
  const most = half * half;
  // |v − m² − offset| is largest at v = 0, |m| = half or at v = half², m = 0.
  const mostCountWeight = Math.max(Math.abs(most + offset), Math.abs(most - offset));
  const noises = [setting.squaresNoise, setting.sumNoise, setting.countNoise];
  const quantile = quantileOfAdded(noises, alpha);
  const known = new Map<number, number>();
  const stepAbove = (x: number, largest: number): number =>
    largest === 0 ? 0 : Math.min(steps, Math.ceil((x / largest) * steps));
  /** A bound on the pivot's quantile for all |mean| and |countWeight| up to these. */
  const radiusUpTo = (mean: number, countWeight: number): number => {
    const [i, j] = [stepAbove(mean, half), stepAbove(countWeight, mostCountWeight)];
    const key = i * (steps + 1) + j;
    let radius = known.get(key);
    if (radius === undefined) {
      radius = quantile([1, (2 * half * i) / steps, (mostCountWeight * j) / steps]);
      known.set(key, radius);
    }
    return radius;
  };

  /** The hull of the v accepted for some mean in a piece. */
  const acceptedFor = (
    squares: number,
    sum: number,
    count: number,
    piece: NonNullable<Range>,
    moments: NonNullable<Range>,
  ): Range => {
    const far = Math.max(Math.abs(piece.lo), Math.abs(piece.hi));
    const near = piece.lo <= 0 && piece.hi >= 0 ? 0 : Math.min(Math.abs(piece.lo), Math.abs(piece.hi));
    const parabola = (m: number): number => squares - 2 * m * sum + (m * m + offset) * count;
    const ends = [piece.lo, piece.hi, clip(sum / count || 0, piece)].map(parabola);
    const rounding =
      2 ** -48 *
      (Math.abs(squares) + 2 * far * Math.abs(sum) + (2 * most + Math.abs(offset)) * Math.abs(count));
    const [least, greatest] = [Math.min(...ends) - rounding, Math.max(...ends) + rounding];
    // Values around `mid` with deviations at most half: v ≤ half² − m² (Bhatia & Davis 2000).
    let range: Range = intersect(
      { lo: 0, hi: Math.max(0, most - near * near) },
      { lo: moments.lo + offset - far * far, hi: moments.hi + offset - near * near },
    );
    if (range === null) return null;
    // Each round drops only v that a valid bound rejects; a narrower range then needs a smaller bound.
    for (let round = 0; round < 4; round++) {
      const countWeight = Math.max(
        Math.abs(range.hi - near * near - offset),
        Math.abs(range.lo - far * far - offset),
      );
      const q = radiusUpTo(far, countWeight);
      const next: Range = intersect(range, solveLinear(count, least - q, greatest + q));
      if (next === null) return null;
      const done = next.hi - next.lo > 0.98 * (range.hi - range.lo);
      range = next;
      if (done) break;
    }
    return range;
  };

  return {
    radius: (mean, variance) => radiusUpTo(Math.abs(mean), Math.abs(variance - mean * mean - offset)),
    accepted(squares, sum, count, means, moments) {
      if (means === null || moments === null) return null;
      const width = means.hi - means.lo;
      const number = Math.max(1, Math.min(pieces, Math.ceil((width / (2 * half)) * 4 * pieces))) || 1;
      let result: Range = null;
      for (let k = 0; k < number; k++) {
        const piece = { lo: means.lo + (width * k) / number, hi: means.lo + (width * (k + 1)) / number };
        result = hull(result, acceptedFor(squares, sum, count, piece, moments));
        if (result && result.lo <= 0 && result.hi >= most) break;
      }
      return result;
    },
  };
}
