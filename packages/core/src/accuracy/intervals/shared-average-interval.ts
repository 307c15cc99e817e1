import { elementAt } from "../../numeric/elements/element-at.ts";
import type { Rational } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import { checkedHalf } from "./average-interval.ts";
import {
  type ConfidenceInterval,
  hull,
  intersect,
  type Range,
  reported,
  solveLinear,
} from "./confidence-interval.ts";
import { checkWeights, coarseFirst } from "./linear-interval.ts";

/**
 * The measurements of an average whose sum and count are read from the same totals: S = Σ sumWeightsᵢ·totalᵢ, which is Σ (iⱼ − mid) with
 * |iⱼ − mid| ≤ half, and the count C = Σ countWeightsᵢ·totalᵢ; the totals' noises are independent. Grid units.
 */
export interface SharedAverageSetting {
  readonly half: bigint;
  readonly noises: readonly AddedNoise[];
  readonly sumWeights: readonly number[];
  readonly countWeights: readonly number[];
  readonly confidence: number;
}

/** Noisy S and C of one group; `size` bounds the absolute values of S's terms and half times C's, all added up, for rounding. */
export interface SharedAverageMeasured {
  readonly sum: number;
  readonly count: number;
  readonly size: number;
}

/** Averages are looked at in this many cells of [−half, half]. */
const cells = 512;

/**
 * Prepares (noisy S, noisy C) ↦ estimate and interval of S/C − the average less mid − within [−half, half].
 *
 * At the true average t, noisy S − t·noisy C is Σ (sumWeightsᵢ − t·countWeightsᵢ)·Zᵢ, whatever S and C ≥ 1 are: the interval is the hull of
 * {t : |S̃ − t·C̃| ≤ q(t)}, q(t) the quantile of that sum's absolute value. Each |weight| is convex in t, so over a cell of averages it is at most
 * what it is at one of the cell's ends, and q grows with every |weight|: the quantile at those bounds stands for the cell. Coverage ≥
 * confidence for every group size. Where the noise drowns the count it is the whole domain.
 * Source: Fieller 1954, The interval estimation of a ratio; the noises' own laws in place of the normal.
 * Direction: upper, coverage never below what is asked.
 * Errors: parameter.invalid for weights that are not finite or not one a noise, and for more than four noises.
 * @example sharedAverageIntervals({ half: 50n, noises: [lap100, lap100], sumWeights: [0.5, -0.5], countWeights: [0.01, 0.01], confidence: 0.95 })
 */
export function sharedAverageIntervals(
  setting: SharedAverageSetting,
): (measured: SharedAverageMeasured) => ConfidenceInterval {
  checkWeights(setting.noises, setting.sumWeights);
  checkWeights(setting.noises, setting.countWeights);
  const half = checkedHalf(setting.half);
  const radius = radii(setting, half, exactAlpha(setting.confidence));
  const domain = { lo: -half, hi: half };
  const most = Math.max(radius(-half, -half), radius(half, half));
  return ({ sum, count, size }) => {
    const rounding = 2 ** -48 * (size + Math.abs(sum));
    const within = (range: Range, q: number): Range =>
      intersect(range, solveLinear(count, sum - q - rounding, sum + q + rounding));
    const accepted = (): Range => {
      const outer = within(domain, most);
      if (outer === null || half === 0) return outer;
      const at = (k: number): number => -half + (2 * half * k) / cells;
      const from = Math.max(0, Math.floor(((outer.lo + half) / (2 * half)) * cells));
      const to = Math.min(cells, Math.ceil(((outer.hi + half) / (2 * half)) * cells));
      const inCell = (k: number): Range => {
        const cell = intersect(outer, { lo: at(k), hi: at(k + 1) });
        return cell && within(cell, radius(at(k), at(k + 1)));
      };
      // From both ends inward to the first accepted cell: what lies between belongs to the hull.
      let result: Range = null;
      let first = from;
      while (first < to && result === null) result = inCell(first++);
      for (let k = to - 1; k >= first; k--) {
        const upper = inCell(k);
        if (upper) return hull(result, upper);
      }
      return result;
    };
    // A group that has an average has at least one row.
    const estimate = sum / Math.max(count, 1);
    return reported(accepted(), domain, estimate, count > 0 ? most / count : 2 * half);
  };
}

/** Returns a bound on q(t) for all t from one average to another, remembered by these two. */
function radii(
  { noises, sumWeights, countWeights }: SharedAverageSetting,
  half: number,
  alpha: Rational,
): (from: number, to: number) => number {
  const { noises: ordered, order } = coarseFirst(noises);
  const quantile = quantileOfAdded(ordered, alpha);
  const known = new Map<string, number>();
  return (from, to) => {
    const name = `${from} ${to}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const weights = order.map((at) => {
      const [sum, count] = [elementAt(sumWeights, at), elementAt(countWeights, at)];
      const rounded = 2 ** -48 * (Math.abs(sum) + half * Math.abs(count));
      return Math.max(Math.abs(sum - from * count), Math.abs(sum - to * count)) + rounded;
    });
    const radius = quantile(weights);
    known.set(name, radius);
    return radius;
  };
}
