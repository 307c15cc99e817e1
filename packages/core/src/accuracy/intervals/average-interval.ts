import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Rational } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import {
  type ConfidenceInterval,
  hull,
  intersect,
  type Range,
  reported,
  solveLinear,
} from "./confidence-interval.ts";

/** The measurements of an average: S = Σ (iⱼ − mid) with |iⱼ − mid| ≤ half, and the count C, each with its own noise. Grid units. */
export interface AverageSetting {
  readonly half: bigint;
  readonly sumNoise: AddedNoise;
  readonly countNoise: AddedNoise;
  readonly confidence: number;
}

/** Noisy S and C of one group. */
export interface AverageMeasured {
  readonly sum: bigint;
  readonly count: bigint;
}

/**
 * Prepares (noisy S, noisy C) ↦ estimate and interval of S/C − the average less mid − within [−half, half].
 *
 * By its exact pivot: at the true average t, noisy S − t·noisy C is N_S − t·N_C, whatever S and C ≥ 1 are. The
 * interval is the hull of {t : |S̃ − t·C̃| ≤ q(t)}, q(t) the quantile of |N_S − t·N_C|: coverage ≥ confidence for every
 * group size, no approximation for large groups. Where the noise drowns the count it is the whole domain. A group that is
 * truly empty has no average; what is returned for it is then usually the whole domain, and means nothing.
 * Source: Fieller 1954, The interval estimation of a ratio; the noise's own law in place of the normal.
 * Direction: upper, coverage never below what is asked.
 * @example averageIntervals({ half: 30n, sumNoise, countNoise, confidence: 0.95 })({ sum: -2063n, count: 99n })
 */
export function averageIntervals(setting: AverageSetting): (measured: AverageMeasured) => ConfidenceInterval {
  const half = checkedHalf(setting.half);
  const { accepted, radius } = averageSets(setting, exactAlpha(setting.confidence));
  const domain = { lo: -half, hi: half };
  return ({ sum, count }) => {
    const [s, c] = [Number(sum), Number(count)];
    // A group that has an average has at least one row.
    const estimate = s / Math.max(c, 1);
    const fallback = c > 0 ? radius(estimate) / c : 2 * half;
    return reported(accepted(s, c), domain, estimate, fallback);
  };
}

/** {@link averageIntervals} for one group. */
export function averageInterval(request: AverageSetting & AverageMeasured): ConfidenceInterval {
  return averageIntervals(request)(request);
}

export function checkedHalf(half: bigint): number {
  if (!(half >= 0n)) throw invalidParameter("half", half, "≥ 0");
  return Number(half);
}

/** q(t) is computed at this many points of [0, half]; between two of them the upper one stands (q increases with |t|). */
const cells = 256;

/** The accepted averages at level 1 − alpha, and the bound on q(t) that is used. */
export interface AverageSets {
  accepted(sum: number, count: number): Range;
  radius(t: number): number;
}

export function averageSets(
  setting: { readonly half: bigint; readonly sumNoise: AddedNoise; readonly countNoise: AddedNoise },
  alpha: Rational,
): AverageSets {
  const half = checkedHalf(setting.half);
  const quantile = quantileOfAdded([setting.sumNoise, setting.countNoise], alpha);
  const known = new Array<number | undefined>(cells + 1);
  const atNode = (k: number): number => {
    known[k] ??= quantile([1, (half * k) / cells]);
    return known[k];
  };
  const nodeAbove = (t: number): number =>
    half === 0 ? 0 : Math.min(cells, Math.ceil((Math.abs(t) / half) * cells));
  return {
    radius: (t) => atNode(nodeAbove(t)),
    accepted(sum, count) {
      const rounding = 2 ** -50 * (Math.abs(sum) + half * Math.abs(count));
      const within = (range: Range, q: number): Range =>
        intersect(range, solveLinear(count, sum - q - rounding, sum + q + rounding));
      const outer = within({ lo: -half, hi: half }, atNode(cells));
      if (outer === null || half === 0) return outer;
      const from = Math.max(Math.floor((outer.lo / half) * cells), -cells);
      const to = Math.min(Math.ceil((outer.hi / half) * cells), cells);
      const inCell = (k: number): Range => {
        const cell = intersect(outer, { lo: (half * k) / cells, hi: (half * (k + 1)) / cells });
        return cell && within(cell, atNode(Math.max(Math.abs(k), Math.abs(k + 1))));
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
    },
  };
}
