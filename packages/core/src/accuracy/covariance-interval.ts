import { multiply, type Rational, ratio, subtract } from "../numeric/rational.ts";
import type { AddedNoise } from "./added-noise.ts";
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
import { exactAlpha } from "./noise-quantile.ts";
import { addedQuantile, quantileOfAdded } from "./noise-sum-law.ts";
import { farthest, nearest } from "./range-arithmetic.ts";

/**
 * How a covariance is measured: P = Σ (iⱼ − mid)(kⱼ − otherMid), S = Σ (iⱼ − mid), T = Σ (kⱼ − otherMid) and the count C of
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
 * With m and l the true averages less their middles, these hold at once for every group, in the manner of Fieller 1954:
 *   S̃ − m·C̃ = N_S − m·N_C      T̃ − l·C̃ = N_T − l·N_C      P̃ − (c + m·l)·C̃ = N_P − (c + m·l)·N_C
 *   P̃ − m·T̃ − l·S̃ + (m·l − c)·C̃ = N_P − m·N_T − l·N_S + (m·l − c)·N_C
 * The interval is the hull of the c that all accept for some m and l, and that Cauchy and Schwarz allow there. The last is
 * the sharp one; the others keep m, l and c from wandering. With A = S̃ − m·C̃ and B = T̃ − l·C̃ it is
 *   P̃ − S̃·T̃/C̃ + A·B/C̃ − c·C̃
 * and so moves with m and l by A·B/C̃ alone. Two more pivots, A/a ± B/b with the count's noise in both, say that A and B are not both
 * far off: with x = A/a and y = B/b, 4·x·y = (x + y)² − (x − y)². A sample covariance also multiplies by C/(C − 1) for
 * every C ≥ 2 that C̃ accepts. The chances of error add up (Bonferroni): a 48th of 1 − confidence goes to each side
 * condition, the rest to the sharp pivot. Coverage ≥ confidence at every group size.
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
  const part = multiply(alpha, ratio(1n, 48n));
  const means = averageSets({ half: setting.half, sumNoise: setting.sumNoise, countNoise }, part);
  const others = averageSets({ half: setting.otherHalf, sumNoise: setting.otherSumNoise, countNoise }, part);
  const moments = averageSets(
    { half: setting.half * setting.otherHalf, sumNoise: setting.productsNoise, countNoise },
    part,
  );
  const rest = subtract(alpha, multiply(part, ratio(setting.population ? 5n : 6n)));
  // Any units would do, as long as they do not depend on the data.
  const units = { sum: means.radius(half / 2), otherSum: others.radius(otherHalf / 2) };
  const covariances = covarianceSets(setting, rest, jointReach(setting, units, part));
  const countRadius = setting.population ? 0 : Number(addedQuantile(countNoise, part));
  const most = half * otherHalf;
  const domain = { lo: -most, hi: most };
  return ({ products, sum, otherSum, count }) => {
    const [p, s, t, c] = [Number(products), Number(sum), Number(otherSum), Number(count)];
    const rows = Math.max(c, 1);
    const mean = clip(s / rows, { lo: -half, hi: half });
    const other = clip(t / rows, { lo: -otherHalf, hi: otherHalf });
    const estimate = p / rows - mean * other;
    const accepted = covariances.accepted(
      [p, s, t, c],
      means.accepted(s, c),
      others.accepted(t, c),
      moments.accepted(p, c),
    );
    const halfWidth = c > 0 ? covariances.radius(mean, other, clip(estimate, domain)) / c : most;
    const population = reported(accepted, domain, estimate, halfWidth);
    if (setting.population) return population;
    // n/(n − 1) falls as n grows.
    const factor = (n: number): number => n / (Math.max(n, 2) - 1);
    const [small, large] = [factor(Math.max(c + countRadius, 2)), factor(Math.max(c - countRadius, 2))];
    const lower = population.lower * (population.lower < 0 ? large : small);
    const upper = population.upper * (population.upper < 0 ? small : large);
    return { value: clip(population.value * factor(Math.max(c, 2)), { lo: lower, hi: upper }), lower, upper };
  };
}

/** Weights of the pivot are rounded up to multiples of this part of their largest, where its quantile is remembered. */
const [meanSteps, countSteps] = [32, 64];
/** The accepted averages are looked at in at most this many pieces each. */
const pieces = 8;

type Noisy = readonly [products: number, sum: number, otherSum: number, count: number];

interface CovarianceSets {
  accepted(noisy: Noisy, means: Range, others: Range, moments: Range): Range;
  radius(mean: number, other: number, covariance: number): number;
}

/** The most that A·B can be, both ways, for averages in these pieces: between −`below` and `above`. */
type JointReach = (mean: NonNullable<Range>, other: NonNullable<Range>) => { below: number; above: number };

/** Of A/a + B/b and A/a − B/b each at level alpha; units a, b. */
function jointReach(
  { half, otherHalf, sumNoise, otherSumNoise, countNoise }: CovarianceSetting,
  units: { readonly sum: number; readonly otherSum: number },
  alpha: Rational,
): JointReach {
  const { sum: a, otherSum: b } = units;
  if (!(a > 0 && b > 0)) return () => ({ below: Number.POSITIVE_INFINITY, above: Number.POSITIVE_INFINITY });
  const quantile = quantileOfAdded([sumNoise, otherSumNoise, countNoise], alpha);
  const largest = Number(half) / a + Number(otherHalf) / b;
  const known = new Map<number, number>();
  const reach = (countWeight: number): number => {
    const step = largest === 0 ? 0 : Math.min(countSteps, Math.ceil((countWeight / largest) * countSteps));
    const found = known.get(step) ?? quantile([1 / a, 1 / b, (largest * step) / countSteps]);
    known.set(step, found);
    return found;
  };
  return (mean, other) => {
    const sums = [mean.lo, mean.hi].flatMap((m) => [other.lo, other.hi].map((l) => Math.abs(m / a + l / b)));
    const gaps = [mean.lo, mean.hi].flatMap((m) => [other.lo, other.hi].map((l) => Math.abs(m / a - l / b)));
    const area = (a * b) / 4;
    return { above: area * reach(Math.max(...sums)) ** 2, below: area * reach(Math.max(...gaps)) ** 2 };
  };
}

function covarianceSets(setting: CovarianceSetting, alpha: Rational, joint: JointReach): CovarianceSets {
  const [half, otherHalf] = [Number(setting.half), Number(setting.otherHalf)];
  const most = half * otherHalf;
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
      stepAbove(countWeight, 2 * most, countSteps),
    ];
    const key = (i * (meanSteps + 1) + j) * (countSteps + 1) + k;
    let radius = known.get(key);
    if (radius === undefined) {
      radius = quantile([
        1,
        (half * i) / meanSteps,
        (otherHalf * j) / meanSteps,
        (2 * most * k) / countSteps,
      ]);
      known.set(key, radius);
    }
    return radius;
  };

  /** The hull of the c accepted for some averages in a piece. */
  const acceptedFor = (
    [p, s, t, c]: Noisy,
    mean: NonNullable<Range>,
    other: NonNullable<Range>,
    moments: NonNullable<Range>,
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
      const { below, above } = joint(mean, other);
      const middle = p - (s * t) / c;
      const lost = rounding + 2 ** -48 * Math.abs((s * t) / c);
      least = Math.max(least, middle - below / c - lost);
      greatest = Math.min(greatest, middle + above / c + lost);
      if (!(least <= greatest)) return null;
    }
    // A variance around an average at distance m from the middle is at most half² − m² (Bhatia & Davis 2000).
    const room = (range: NonNullable<Range>, limit: number): number =>
      Math.max(0, limit * limit - nearest(range) ** 2);
    const reach = Math.min(most, Math.sqrt(room(mean, half) * room(other, otherHalf)) * (1 + 2 ** -48));
    let range: Range = intersect({ lo: -reach, hi: reach }, { lo: moments.lo - high, hi: moments.hi - low });
    // Each round drops only c that a valid bound rejects; a narrower range then needs a smaller bound.
    for (let round = 0; round < 4 && range; round++) {
      const countWeight = Math.max(high - range.lo, range.hi - low);
      const q = radiusUpTo(farthest(mean), farthest(other), countWeight);
      const next: Range = intersect(range, solveLinear(c, least - q, greatest + q));
      const done = next === null || next.hi - next.lo > 0.98 * (range.hi - range.lo);
      range = next;
      if (done) break;
    }
    return range;
  };

  return {
    radius: (mean, other, covariance) =>
      radiusUpTo(Math.abs(mean), Math.abs(other), Math.abs(mean * other - covariance)),
    accepted(noisy, means, others, moments) {
      if (means === null || others === null || moments === null) return null;
      let result: Range = null;
      for (const mean of cut(means, half))
        for (const other of cut(others, otherHalf)) {
          result = hull(result, acceptedFor(noisy, mean, other, moments));
          if (result && result.lo <= -most && result.hi >= most) return result;
        }
      return result;
    },
  };
}

/** A range in pieces: more of them the more of the domain it holds. */
function cut({ lo, hi }: NonNullable<Range>, half: number): readonly NonNullable<Range>[] {
  const width = hi - lo;
  const number = Math.max(1, Math.min(pieces, Math.ceil((width / (2 * half)) * 2 * meanSteps))) || 1;
  return Array.from({ length: number }, (_, k) => ({
    lo: lo + (width * k) / number,
    hi: k + 1 === number ? hi : lo + (width * (k + 1)) / number,
  }));
}
