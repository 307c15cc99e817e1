import { type Rational, toDouble } from "@lethe/core";
import { add, divide, fromDouble, multiply, negate } from "@lethe/core/numeric";

/** A closed interval of doubles, lo ≤ hi, both finite. */
export type Interval = readonly [number, number];

/** Magnitude up to which every integer is a double. */
export const maxExact: number = 2 ** 53;

/** −0 is 0: keys and bounds never tell them apart. */
export const plain = (x: number): number => (x === 0 ? 0 : x);

/** The smallest interval of doubles around exact numbers; null where one of them is beyond the doubles. */
function enclose(points: readonly Rational[]): Interval | null {
  const lo = Math.min(...points.map((point) => toDouble(point, "down")));
  const hi = Math.max(...points.map((point) => toDouble(point, "up")));
  return Number.isFinite(lo) && Number.isFinite(hi) ? [plain(lo), plain(hi)] : null;
}

function corners(a: Interval, b: Interval, op: (x: Rational, y: Rational) => Rational): Interval | null {
  return enclose(a.flatMap((x) => b.map((y) => op(fromDouble(x), fromDouble(y)))));
}

/** Exact endpoints, rounded outward: contains the correctly rounded double result of every pair. */
export const sumOf = (a: Interval, b: Interval): Interval | null => corners(a, b, add);
export const differenceOf = (a: Interval, b: Interval): Interval | null =>
  corners(a, b, (x, y) => add(x, negate(y)));
export const productOf = (a: Interval, b: Interval): Interval | null => corners(a, b, multiply);
/** b must not contain 0. */
export const quotientOf = (a: Interval, b: Interval): Interval | null => corners(a, b, divide);

export const contains = ([lo, hi]: Interval, x: number): boolean => lo <= x && x <= hi;
export const hull = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
export const magnitude = ([lo, hi]: Interval): number => Math.max(Math.abs(lo), Math.abs(hi));

/**
 * Engines' exp, ln, log10 and power differ in the last bits (their libraries promise a few units in the last place):
 * widened by 2^-45 of the magnitude. Null where an end is not finite.
 */
export function widened(lo: number, hi: number): Interval | null {
  const low = lo - Math.abs(lo) * 2 ** -45;
  const high = hi + Math.abs(hi) * 2 ** -45;
  return Number.isFinite(low) && Number.isFinite(high) ? [plain(low), plain(high)] : null;
}
