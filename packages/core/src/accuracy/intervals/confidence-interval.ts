/**
 * An estimate and the interval that holds the bounded aggregate with the asked confidence, in the units of the request.
 * lower ≤ upper; the value of a count or a sum is the unbiased release itself and may lie outside.
 */
export interface ConfidenceInterval {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A closed set of numbers without holes; null is the empty set. */
export type Range = { readonly lo: number; readonly hi: number } | null;

export function intersect(a: Range, b: Range): Range {
  if (a === null || b === null) return null;
  const lo = Math.max(a.lo, b.lo);
  const hi = Math.min(a.hi, b.hi);
  return lo <= hi ? { lo, hi } : null;
}

/** The smallest range around both. */
export function hull(a: Range, b: Range): Range {
  if (a === null || b === null) return a ?? b;
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

/** {t : from ≤ slope·t ≤ to}: all numbers or none where the slope is 0. */
export function solveLinear(slope: number, from: number, to: number): Range {
  if (slope > 0) return from <= to ? { lo: from / slope, hi: to / slope } : null;
  if (slope < 0) return from <= to ? { lo: to / slope, hi: from / slope } : null;
  return from <= 0 && to >= 0 ? { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY } : null;
}

export function clip(x: number, { lo, hi }: { readonly lo: number; readonly hi: number }): number {
  return Math.min(Math.max(x, lo), hi);
}

/**
 * Returns the interval that is reported for a set of accepted values. An unlucky draw (its chance is part of 1 − confidence) can contradict the
 * whole domain; then the interval is one half-width around the point of the domain nearest to the estimate, so that bad
 * luck never looks like certainty.
 */
export function reported(
  accepted: Range,
  domain: { readonly lo: number; readonly hi: number },
  estimate: number,
  halfWidth: number,
): ConfidenceInterval {
  const nearest = clip(estimate, domain);
  const range = accepted ?? {
    lo: clip(nearest - halfWidth, domain),
    hi: clip(nearest + halfWidth, domain),
  };
  return { value: clip(nearest, range), lower: range.lo, upper: range.hi };
}
