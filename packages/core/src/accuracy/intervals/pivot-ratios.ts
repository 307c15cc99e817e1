import type { Rational } from "../../numeric/rational.ts";
import type { AddedNoise } from "../laws/added-noise.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import { hull, intersect, type Range } from "./confidence-interval.ts";
import { farthest } from "./range-arithmetic.ts";

type Some = NonNullable<Range>;

/** A test of x = t·y by a pivot, for given nuisances: the ranges of x (`above`) and of y (`below`), and how far x − t·y may be from 0. */
export interface PivotRatio {
  readonly above: Some;
  readonly below: Some;
  /**
   * Returns at least the quantile of the pivot's noise plus the rounding of doubles, for every t in the range. It must grow with the
   * range. Most calls ask for a rough one, which may be larger.
   */
  readonly radius: (range: Some, rough: boolean) => number;
}

/** Ranges are looked at in this many pieces at last. */
const pieces = 2;

/**
 * The hull of {t in `within` : |x − t·y| ≤ radius(t) for some x in `above` and y in `below`}, all y above 0; it may be larger, never
 * smaller. A range that is known to hold the set needs only its own radius, which leaves a narrower range: a few rounds, then
 * in pieces. Null where nothing is left.
 * Source: inversion of a family of tests (Neyman 1937) with the bounds of interval arithmetic (Moore 1966).
 * Direction: upper, nothing that is accepted is left out.
 */
export function pivotRatios(pivot: PivotRatio, within: Some): Range {
  let range: Range = within;
  for (let round = 0; round < 6 && range; round++) {
    const next = accepted(pivot, range, true);
    const done = next === null || next.hi - next.lo > 0.98 * (range.hi - range.lo);
    range = next;
    if (done) break;
  }
  if (range === null) return null;
  const { lo, hi } = range;
  let result: Range = null;
  for (let k = 0; k < pieces; k++) {
    const to = k + 1 === pieces ? hi : lo + ((hi - lo) * (k + 1)) / pieces;
    result = hull(result, accepted(pivot, { lo: lo + ((hi - lo) * k) / pieces, hi: to }, false));
  }
  return result;
}

/** Returns the part of a range whose t may be accepted. For t ≥ 0, t·y lies between t·y₁ and t·y₂; for t ≤ 0, between t·y₂ and t·y₁. */
function accepted({ above, below, radius }: PivotRatio, range: Some, rough: boolean): Range {
  const q = radius(range, rough);
  const [least, most] = [above.lo - q, above.hi + q];
  return intersect(range, {
    lo: least / (least <= 0 ? below.lo : below.hi),
    hi: most / (most >= 0 ? below.lo : below.hi),
  });
}

/**
 * The quantile of a sum whose last noise is the finest, in both ways: with that noise taken value by value, and, in a fraction
 * of the time, as if it were continuous.
 */
export function bothQuantiles(
  noises: readonly AddedNoise[],
  alpha: Rational,
): (weights: readonly number[], rough: boolean) => number {
  const fine = quantileOfAdded(noises, alpha);
  const rough = quantileOfAdded([...noises].reverse(), alpha);
  return (weights, isRough) => (isRough ? rough([...weights].reverse()) : fine(weights));
}

/**
 * A T such that {@link pivotRatios} accepts no |t| > T, where radius(t)/|t| falls; null where doubling finds none.
 */
export function farthestRatio({ above, below, radius }: PivotRatio): number | null {
  const far = farthest(above);
  let most = Math.max((2 * (far + radius({ lo: 0, hi: 0 }, true))) / below.lo, Number.MIN_VALUE ** 0.5);
  for (let tried = 0; tried < 60; tried++) {
    if (most * below.lo > far + radius({ lo: -most, hi: most }, true)) return most;
    most *= 2;
  }
  return null;
}
