import { elementAt } from "../../numeric/elements/element-at.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import { hull, intersect, type Range, solveLinear } from "./confidence-interval.ts";
import { checkWeights, coarseFirst } from "./linear-interval.ts";

/** constant + Σ weightᵢ·totalᵢ over constant + Σ weightᵢ·totalᵢ, of the same totals: one may stand above and below. */
export interface RatioSetting {
  readonly noises: readonly AddedNoise[];
  readonly numerator: { readonly constant: number; readonly weights: readonly number[] };
  readonly denominator: { readonly constant: number; readonly weights: readonly number[] };
  readonly confidence: number;
}

/** Quantiles are remembered at |t| = 2^(k/64): each stands for all smaller |t|, at most 1.1 % below it. */
const nodesPerOctave = 64;
/** Ranges are looked at in this many pieces. */
const pieces = 16;
/** A range of more nodes than this is not looked at between them. */
const mostNodes = 48;

/**
 * Prepares noisy totals ↦ the range of N/D, or null where the noise does not separate D from 0.
 *
 * At the true ratio t, Ñ − t·D̃ = Σ (numeratorᵢ − t·denominatorᵢ)·Zᵢ, whatever N and D ≠ 0 are: the range is the hull of
 * {t : |Ñ − t·D̃| ≤ q(t)}, q(t) the quantile of that sum. q grows with |t|, and q(t)/t falls, so that all |t| > T are
 * rejected together once T·|D̃| > q(T) + |Ñ|; such a T exists exactly where D̃ exceeds its own noise's quantile. Of a total that stands above and
 * below, |numeratorᵢ − t·denominatorᵢ| is convex in t, so between two nodes it is at most what it is at one of them, and never more than the sum of both
 * parts' sizes, by which T is found.
 * Source: Fieller 1954, The interval estimation of a ratio; the noises' own laws in place of the normal.
 * Direction: upper, coverage never below what is asked.
 * Errors: parameter.invalid for weights that are not finite, and for more than four noises.
 * @example ratioIntervals({ noises: [lap60, lap2], numerator: { constant: 0, weights: [1, 0] }, denominator: { constant: 0, weights: [0, 1] }, confidence: 0.95 })([2063n, 99n])
 */
export function ratioIntervals(
  setting: RatioSetting,
): (totals: readonly bigint[]) => { readonly lower: number; readonly upper: number } | null {
  const { numerator, denominator } = setting;
  checkWeights(setting.noises, numerator.weights);
  checkWeights(setting.noises, denominator.weights);
  const shared = numerator.weights.some((weight, at) => weight !== 0 && denominator.weights[at] !== 0);
  const { noises, order } = coarseFirst(setting.noises);
  const quantile = quantileOfAdded(noises, exactAlpha(setting.confidence));
  const known = new Map<number, number>();
  const radius = (t: number): number => {
    const node = t === 0 ? Number.NEGATIVE_INFINITY : Math.ceil(Math.log2(Math.abs(t)) * nodesPerOctave);
    let found = known.get(node);
    if (found === undefined) {
      const above = t === 0 ? 0 : 2 ** (node / nodesPerOctave) * (1 + 2 ** -40);
      found = quantile(
        order.map(
          (at) =>
            Math.abs(elementAt(numerator.weights, at)) + above * Math.abs(elementAt(denominator.weights, at)),
        ),
      );
      known.set(node, found);
    }
    return found;
  };
  const between = new Map<number, number>();
  /** A bound for the t of one sign between two nodes: those of size 2^(k/64) and the next. */
  const cell = (k: number, sign: 1 | -1): number => {
    const key = sign * (2 * k + 0.5);
    let found = between.get(key);
    if (found === undefined) {
      const ends = [
        2 ** (k / nodesPerOctave) * (1 - 2 ** -40),
        2 ** ((k + 1) / nodesPerOctave) * (1 + 2 ** -40),
      ];
      found = quantile(
        order.map((at) => {
          const [above, below] = [elementAt(numerator.weights, at), elementAt(denominator.weights, at)];
          const sizes = ends.map((end) => Math.abs(above - sign * end * below));
          return Math.max(...sizes) + 2 ** -48 * Math.abs(above);
        }),
      );
      between.set(key, found);
    }
    return found;
  };
  /** A bound on q over a range. */
  const radiusOver = ({ lo, hi }: NonNullable<Range>): number => {
    const far = Math.max(Math.abs(lo), Math.abs(hi));
    if (!shared || !(lo > 0 || hi < 0)) return radius(far);
    const near = Math.min(Math.abs(lo), Math.abs(hi));
    const [first, last] = [near, far].map((t) => Math.floor(Math.log2(t) * nodesPerOctave)) as [
      number,
      number,
    ];
    if (!(last - first < mostNodes)) return radius(far);
    let most = 0;
    for (let k = first; k <= last; k++) most = Math.max(most, cell(k, lo > 0 ? 1 : -1));
    return most;
  };
  const alone = quantile(order.map((at) => elementAt(denominator.weights, at)));

  return (totals) => {
    const above = evaluated(numerator, totals);
    const below = evaluated(denominator, totals);
    const accepted = (range: NonNullable<Range>): Range => {
      const far = Math.max(Math.abs(range.lo), Math.abs(range.hi));
      const q = radiusOver(range) + 2 ** -48 * (above.size + far * below.size);
      return intersect(range, solveLinear(below.value, above.value - q, above.value + q));
    };
    if (!(Math.abs(below.value) > alone)) return null;
    const most = limit(above, below, radius);
    if (most === null) return null;
    let range: Range = { lo: -most, hi: most };
    for (let round = 0; round < 40 && range; round++) {
      const next: Range = accepted(range);
      const done = next === null || next.hi - next.lo > 0.99 * (range.hi - range.lo);
      range = next;
      if (done) break;
    }
    if (range === null) return null;
    const { lo, hi } = range;
    let result: Range = null;
    for (let k = 0; k < pieces; k++) {
      const to = k + 1 === pieces ? hi : lo + ((hi - lo) * (k + 1)) / pieces;
      result = hull(result, accepted({ lo: lo + ((hi - lo) * k) / pieces, hi: to }));
    }
    return result && { lower: result.lo, upper: result.hi };
  };
}

interface Evaluated {
  readonly value: number;
  readonly size: number;
}

function evaluated({ constant, weights }: RatioSetting["numerator"], totals: readonly bigint[]): Evaluated {
  const parts = totals.map((total, at) => {
    const weight = elementAt(weights, at);
    return weight === 0 ? 0 : Number(total) * weight;
  });
  return {
    value: parts.reduce((sum, part) => sum + part, constant),
    size: parts.reduce((sum, part) => sum + Math.abs(part), Math.abs(constant)),
  };
}

/** A T beyond which every ratio is rejected; null where doubling does not find one. */
function limit(above: Evaluated, below: Evaluated, radius: (t: number) => number): number | null {
  const slope = Math.abs(below.value);
  let most = (2 * (Math.abs(above.value) + radius(0))) / slope;
  if (!(most > 0)) most = Number.MIN_VALUE ** 0.5;
  for (let tried = 0; tried < 100; tried++) {
    const rounding = 2 ** -48 * (above.size + most * below.size);
    if (most * slope > radius(most) + Math.abs(above.value) + rounding) return most;
    most *= 2;
  }
  return null;
}
