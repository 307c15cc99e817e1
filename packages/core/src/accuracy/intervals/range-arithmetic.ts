import type { Range } from "./confidence-interval.ts";

type Some = NonNullable<Range>;

/** The one number. */
export function only(x: number): Some {
  return { lo: x, hi: x };
}

/** All x + y. */
export function plus(a: Some, b: Some): Some {
  return { lo: a.lo + b.lo, hi: a.hi + b.hi };
}

/** All x − y. */
export function minus(a: Some, b: Some): Some {
  return { lo: a.lo - b.hi, hi: a.hi - b.lo };
}

/** All factor·x. */
export function scaledBy(factor: number, { lo, hi }: Some): Some {
  return factor < 0 ? { lo: factor * hi, hi: factor * lo } : { lo: factor * lo, hi: factor * hi };
}

/**
 * All x·y.
 * Source: Moore 1966, Interval Analysis.
 * Direction: exact but for the rounding of doubles, which is the caller's to add.
 */
export function times(a: Some, b: Some): Some {
  const corners = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
  return { lo: Math.min(...corners), hi: Math.max(...corners) };
}

/** All x². */
export function squared(range: Some): Some {
  return { lo: nearest(range) ** 2, hi: farthest(range) ** 2 };
}

/** The largest |x|. */
export function farthest({ lo, hi }: Some): number {
  return Math.max(Math.abs(lo), Math.abs(hi));
}

/** The smallest |x|. */
export function nearest({ lo, hi }: Some): number {
  return lo <= 0 && hi >= 0 ? 0 : Math.min(Math.abs(lo), Math.abs(hi));
}
