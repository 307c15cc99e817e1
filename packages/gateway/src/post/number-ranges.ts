import type { NumberRange } from "@lethe/query";

/** The range over arguments that are numbers, null where there is no value, and whether some of them have none. */
export type Ranged =
  | NumberRange
  | null
  | { readonly range: NumberRange | null; readonly undefinedToo: boolean };

export const all: NumberRange = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
export const isAll = ({ lo, hi }: NumberRange): boolean => !(Number.isFinite(lo) && Number.isFinite(hi));
export const holds = ({ lo, hi }: NumberRange, x: number): boolean => lo <= x && x <= hi;

const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

export function product(a: NumberRange, b: NumberRange): NumberRange {
  const corners = [times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)];
  return { lo: Math.min(...corners), hi: Math.max(...corners) };
}

export function quotient(a: NumberRange, b: NumberRange): Ranged {
  if (b.lo === 0 && b.hi === 0) return { range: null, undefinedToo: true };
  if (!holds(b, 0)) {
    const corners = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
    if (corners.some(Number.isNaN)) return all;
    return { lo: Math.min(...corners), hi: Math.max(...corners) };
  }
  const inverse: NumberRange =
    b.lo === 0
      ? { lo: 1 / b.hi, hi: Number.POSITIVE_INFINITY }
      : b.hi === 0
        ? { lo: Number.NEGATIVE_INFINITY, hi: 1 / b.lo }
        : all;
  return { range: product(a, inverse), undefinedToo: true };
}

/** The remainder has the sign of the dividend and is smaller than the divisor. */
export function remainder(a: NumberRange, b: NumberRange): Ranged {
  const size = ({ lo, hi }: NumberRange): number => Math.max(Math.abs(lo), Math.abs(hi));
  const most = Math.min(size(a), size(b));
  if (a.lo === a.hi && b.lo === b.hi && b.lo !== 0) return { lo: a.lo % b.lo, hi: a.lo % b.lo };
  return { range: { lo: a.lo >= 0 ? 0 : -most, hi: a.hi <= 0 ? 0 : most }, undefinedToo: holds(b, 0) };
}

/** Returns the range of a power. On each side of 0 a power is monotone, so its extremes are at the ends and at 0. */
export function power(x: NumberRange, { lo: exponent }: NumberRange): Ranged {
  const fractional = !Number.isInteger(exponent);
  const lo = fractional ? Math.max(0, x.lo) : x.lo;
  if (x.hi < lo) return { range: null, undefinedToo: true };
  const undefinedToo = fractional && x.lo < 0;
  if (exponent < 0 && lo <= 0 && x.hi >= 0) return { range: all, undefinedToo: true };
  const ends = [lo, x.hi, ...(lo <= 0 && x.hi >= 0 ? [0] : [])].map((end) => end ** exponent);
  return { range: { lo: Math.min(...ends), hi: Math.max(...ends) }, undefinedToo };
}
