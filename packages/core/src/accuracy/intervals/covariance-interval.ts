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
import { farthest, nearest, only, plus, scaledBy } from "./range-arithmetic.ts";

/**
 * The measurements of a covariance: P = Σ (iⱼ − mid)(kⱼ − otherMid), S = Σ (iⱼ − mid), T = Σ (kⱼ − otherMid) and the count C of
 * the same rows, |iⱼ − mid| ≤ half, |kⱼ − otherMid| ≤ otherHalf, each with its own noise. Grid units (P: their product).
 */
export interface CovarianceSetting {
  readonly half: bigint;
  readonly otherHalf: bigint;
  readonly productsNoise: AddedNoise;
  readonly sumNoise: AddedNoise;
  readonly otherSumNoise: AddedNoise;
  readonly countNoise: AddedNoise;
  /** true: divided by C; false: by C − 1. */
  readonly population: boolean;
  readonly confidence: number;
}

/** Noisy P, S, T and C of one group. */
export interface CovarianceMeasured {
  readonly products: bigint;
  readonly sum: bigint;
  readonly otherSum: bigint;
  readonly count: bigint;
}

/**
 * Prepares (P̃, S̃, T̃, C̃) ↦ estimate and interval of the covariance c, within ±half·otherHalf (sample: twice that).
 *
 * With m and l the true averages less their middles, e = P/C, and D = C (of a sample C − 1), so that D·c = C·(e − m·l), these
 * hold at once for every group, in the manner of Fieller 1954:
 *   S̃ − m·C̃ = N_S − m·N_C      T̃ − l·C̃ = N_T − l·N_C      P̃ − e·C̃ = N_P − e·N_C
 *   P̃ − m·T̃ − l·S̃ + m·l·C̃ − c·D̃ = N_P − m·N_T − l·N_S + (m·l − c)·N_C
 * The interval is the hull of the c that all accept for some m and l, and that Cauchy and Schwarz allow there. The last is
 * the sharp one; the others keep m, l and c from wandering. With A = S̃ − m·C̃ and B = T̃ − l·C̃ it is
 *   P̃ − S̃·T̃/C̃ + A·B/C̃ − c·D̃
 * and so moves with m and l by A·B/C̃ alone. Two more pivots, A/a ± B/b with the count's noise in both, say that A and B are not both
 * far off, which leaves out some m and l altogether: with x = A/a and y = B/b, 4·x·y = (x + y)² − (x − y)². How small C can be,
 * by C̃, says how far a sample's divisor may carry c. The chances of error add up (Bonferroni): a 96th of 1 − confidence goes to
 * each condition on one total, three of those to each on two, the rest to the sharp pivot. Coverage ≥ confidence at every group size.
 * Source: six pivots in the manner of Fieller 1954, joined by Bonferroni's inequality.
 * Direction: upper, coverage never below what is asked.
 * @example covarianceIntervals({ half: 30n, otherHalf: 9n, productsNoise, sumNoise, otherSumNoise, countNoise, population: true, confidence: 0.95 })
 */
export function covarianceIntervals(
  setting: CovarianceSetting,
): (measured: CovarianceMeasured) => ConfidenceInterval {
  const [half, otherHalf] = [checkedHalf(setting.half), checkedHalf(setting.otherHalf)];
  const { countNoise } = setting;
  const alpha = exactAlpha(setting.confidence);
  const part = multiply(alpha, ratio(1n, 96n));
  const jointPart = multiply(part, ratio(3n));
  const means = averageSets({ half: setting.half, sumNoise: setting.sumNoise, countNoise }, part);
  const others = averageSets({ half: setting.otherHalf, sumNoise: setting.otherSumNoise, countNoise }, part);
  const moments = averageSets(
    { half: setting.half * setting.otherHalf, sumNoise: setting.productsNoise, countNoise },
    part,
  );
  const rest = subtract(alpha, multiply(part, ratio(setting.population ? 9n : 10n)));
  // Any units would do, as long as they do not depend on the data.
  const units = { sum: means.radius(half / 2), otherSum: others.radius(otherHalf / 2) };
  const covariances = covarianceSets(setting, rest, jointReach(setting, units, jointPart));
  const countRadius = setting.population ? 0 : Number(addedQuantile(countNoise, part));
  const most = half * otherHalf * (setting.population ? 1 : 2);
  const domain = { lo: -most, hi: most };
  // n/(n − 1) falls as n grows.
  const factor = (n: number): number => (setting.population ? 1 : Math.max(n, 2) / (Math.max(n, 2) - 1));
  return ({ products, sum, otherSum, count }) => {
    const [p, s, t, c] = [Number(products), Number(sum), Number(otherSum), Number(count)];
    const rows = Math.max(c, 1);
    const mean = clip(s / rows, { lo: -half, hi: half });
    const other = clip(t / rows, { lo: -otherHalf, hi: otherHalf });
    const estimate = (p / rows - mean * other) * factor(c);
    const accepted = covariances.accepted(
      [p, s, t, c],
      means.accepted(s, c),
      others.accepted(t, c),
      moments.accepted(p, c),
      factor(c - countRadius),
    );
    const divisor = setting.population ? c : c - 1;
    const halfWidth = divisor > 0 ? covariances.radius(mean, other, clip(estimate, domain)) / divisor : most;
    return reported(accepted, domain, estimate, halfWidth);
  };
}

/** Weights of the pivot are rounded up to multiples of this part of their largest, where its quantile is remembered. */
const [meanSteps, countSteps] = [32, 64];
/** The accepted averages are looked at in at most this many pieces each. */
const pieces = 12;

type Some = NonNullable<Range>;
type Noisy = readonly [products: number, sum: number, otherSum: number, count: number];

interface CovarianceSets {
  /** `factor`: the largest that the variances' divisor may make of them. */
  accepted(noisy: Noisy, means: Range, others: Range, moments: Range, factor: number): Range;
  radius(mean: number, other: number, covariance: number): number;
}

/** The least and the most that A·B can be, of averages in these pieces where A and B lie in these ranges; null where they cannot. */
type JointReach = (mean: Some, other: Some, a: Some, b: Some) => Range;

/** Bounds A·B by confidence sets for A/a + B/b and A/a − B/b, each at level alpha; a and b are the units of the two sums. */
function jointReach(
  { half, otherHalf, sumNoise, otherSumNoise, countNoise }: CovarianceSetting,
  units: { readonly sum: number; readonly otherSum: number },
  alpha: Rational,
): JointReach {
  const { sum: a, otherSum: b } = units;
  if (!(a > 0 && b > 0)) return () => ({ lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY });
  const quantile = quantileOfAdded([sumNoise, otherSumNoise, countNoise], alpha);
  const largest = Number(half) / a + Number(otherHalf) / b;
  const known = new Map<number, number>();
  const reach = (countWeight: number): number => {
    const step = largest === 0 ? 0 : Math.min(countSteps, Math.ceil((countWeight / largest) * countSteps));
    const found = known.get(step) ?? quantile([1 / a, 1 / b, (largest * step) / countSteps]);
    known.set(step, found);
    return found;
  };
  const rounding = 1 + 2 ** -40;
  return (mean, other, sumError, otherSumError) => {
    const [m, l] = [scaledBy(1 / a, mean), scaledBy(1 / b, other)];
    const [x, y] = [scaledBy(1 / a, sumError), scaledBy(1 / b, otherSumError)];
    const [sum, gap] = [plus(x, y), plus(x, scaledBy(-1, y))];
    const sumReach = reach(farthest(plus(m, l))) * rounding;
    const gapReach = reach(farthest(plus(m, scaledBy(-1, l)))) * rounding;
    const [leastSum, leastGap] = [nearest(sum) / rounding, nearest(gap) / rounding];
    if (leastSum > sumReach || leastGap > gapReach) return null;
    const area = (a * b) / 4;
    return { lo: area * (leastSum ** 2 - gapReach ** 2), hi: area * (sumReach ** 2 - leastGap ** 2) };
  };
}

function covarianceSets(setting: CovarianceSetting, alpha: Rational, joint: JointReach): CovarianceSets {
  const [half, otherHalf] = [Number(setting.half), Number(setting.otherHalf)];
  const most = half * otherHalf;
  const [shift, mostWeight] = setting.population ? [0, 2 * most] : [1, 3 * most];
  const noises = [setting.productsNoise, setting.otherSumNoise, setting.sumNoise, setting.countNoise];
  const quantile = quantileOfAdded(noises, alpha);
  const known = new Map<number, number>();
  const stepAbove = (x: number, largest: number, steps: number): number =>
    largest === 0 ? 0 : Math.min(steps, Math.ceil((x / largest) * steps));
  /** A bound on the pivot's quantile for all |mean|, |other| and |countWeight| up to these. */
  const radiusUpTo = (mean: number, other: number, countWeight: number): number => {
    const [i, j, k] = [
      stepAbove(mean, half, meanSteps),
      stepAbove(other, otherHalf, meanSteps),
      stepAbove(countWeight, mostWeight, countSteps),
    ];
    const key = (i * (meanSteps + 1) + j) * (countSteps + 1) + k;
    let radius = known.get(key);
    if (radius === undefined) {
      radius = quantile([
        1,
        (half * i) / meanSteps,
        (otherHalf * j) / meanSteps,
        (mostWeight * k) / countSteps,
      ]);
      known.set(key, radius);
    }
    return radius;
  };

  /** The hull of the c accepted for some averages in a piece. */
  const acceptedFor = (
    [p, s, t, c]: Noisy,
    mean: Some,
    other: Some,
    moments: Some,
    factor: number,
  ): Range => {
    const corners = [mean.lo, mean.hi].flatMap((m) =>
      [other.lo, other.hi].map((l) => ({ pivot: p - m * t - l * s + m * l * c, product: m * l })),
    );
    const products = corners.map(({ product }) => product);
    const [low, high] = [Math.min(...products), Math.max(...products)];
    const rounding =
      2 ** -48 * (Math.abs(p) + half * Math.abs(t) + otherHalf * Math.abs(s) + 2 * most * Math.abs(c));
    let least = Math.min(...corners.map(({ pivot }) => pivot)) - rounding;
    let greatest = Math.max(...corners.map(({ pivot }) => pivot)) + rounding;
    if (c > 0) {
      const product = joint(
        mean,
        other,
        plus(only(s), scaledBy(-c, mean)),
        plus(only(t), scaledBy(-c, other)),
      );
      if (product === null) return null;
      const middle = p - (s * t) / c;
      const lost = rounding + 2 ** -48 * Math.abs((s * t) / c);
      least = Math.max(least, middle + product.lo / c - lost);
      greatest = Math.min(greatest, middle + product.hi / c + lost);
      if (!(least <= greatest)) return null;
    }
    // A variance around an average at distance m from the middle is at most half² − m² (Bhatia & Davis 2000).
    const room = (range: Some, limit: number): number => Math.max(0, limit * limit - nearest(range) ** 2);
    const spread = Math.min(most, Math.sqrt(room(mean, half) * room(other, otherHalf)) * (1 + 2 ** -48));
    const [lo, hi] = [Math.max(moments.lo - high, -spread), Math.min(moments.hi - low, spread)];
    if (!(lo <= hi)) return null;
    let range: Range = { lo: lo < 0 ? lo * factor : lo, hi: hi > 0 ? hi * factor : hi };
    // Each round drops only c that a valid bound rejects; a narrower range then needs a smaller bound.
    for (let round = 0; round < 4 && range; round++) {
      const countWeight = Math.max(high - range.lo, range.hi - low);
      const q = radiusUpTo(farthest(mean), farthest(other), countWeight);
      const next: Range = intersect(range, solveLinear(c - shift, least - q, greatest + q));
      const done = next === null || next.hi - next.lo > 0.98 * (range.hi - range.lo);
      range = next;
      if (done) break;
    }
    return range;
  };

  return {
    radius: (mean, other, covariance) =>
      radiusUpTo(Math.abs(mean), Math.abs(other), Math.abs(mean * other - covariance)),
    accepted(noisy, means, others, moments, factor) {
      if (means === null || others === null || moments === null) return null;
      let result: Range = null;
      for (const mean of cut(means, half))
        for (const other of cut(others, otherHalf)) {
          result = hull(result, acceptedFor(noisy, mean, other, moments, factor));
          if (result && result.lo <= -most * factor && result.hi >= most * factor) return result;
        }
      return result;
    },
  };
}

/** A range in pieces: more of them the more of the domain it holds. */
function cut({ lo, hi }: Some, half: number): readonly Some[] {
  const width = hi - lo;
  const number = Math.max(1, Math.min(pieces, Math.ceil((width / (2 * half)) * 2 * meanSteps))) || 1;
  return Array.from({ length: number }, (_, k) => ({
    lo: lo + (width * k) / number,
    hi: k + 1 === number ? hi : lo + (width * (k + 1)) / number,
  }));
}
