import type { ColumnPolicy, IntegerColumn, TimeColumn } from "../policy/policy.ts";

/** Values are integers i standing for i·step, step = 2^exponent, clamped to lo ≤ i ≤ hi after rounding. */
export interface Grid {
  readonly exponent: number;
  readonly lo: string;
  readonly hi: string;
}

/** Integers keep step 1 up to this many levels; beyond it they are put on a coarser grid, as numbers are. */
const integerLevels = 2 ** 31;
/** Numbers get between this many levels and twice as many. */
const numberLevels = 2 ** 20;
/** Every grid integer is exact in a double. */
const largestInteger = 2 ** 53;
/** 2^±1000 and its inverse are normal doubles, so scaling by them is exact. */
const largestExponent = 1000;

/**
 * The integers that stand for the numbers in [lo, hi]: i = round(x · 2^−exponent), ties to even, then clamped to
 * [⌈lo · 2^−exponent⌉, ⌊hi · 2^−exponent⌋]. The end points move inward, by less than a step, so that every i · 2^exponent
 * lies within [lo, hi]: what a domain proves of a column (x > 0, say) holds for what is stored of it.
 * @example gridFor([0, 60], false) // => { exponent: -15, lo: "0", hi: "1966080" }
 */
export function gridFor(bounds: readonly [number, number], integer: boolean): Grid {
  const [lo, hi] = bounds;
  const exponent =
    integer && hi - lo <= integerLevels && magnitude(bounds) <= largestInteger ? 0 : stepExponent(bounds);
  const step = 2 ** exponent;
  let first = Math.ceil(lo / step);
  let last = Math.floor(hi / step);
  // Where the quotient underflowed to 0, the next grid point.
  if (first * step < lo) first += 1;
  if (last * step > hi) last -= 1;
  return { exponent, lo: BigInt(Math.min(first, last)).toString(), hi: BigInt(last).toString() };
}

/**
 * The grid in which a snapshot stores a column, and in which a raw column is read: null for a column that is not a
 * bounded number. Integers are stored as they are, times as their number of days or microseconds.
 */
export function gridOf(column: ColumnPolicy): Grid | null {
  if (column.type === "number") return column.bounds && gridFor(column.bounds, false);
  return column.type === "text" || column.type === "boolean" ? null : integerGrid(column);
}

/** The grid of a column of integers or of times, which always has one. */
export function integerGrid(column: IntegerColumn | TimeColumn): Grid {
  const [lo, hi] =
    column.type === "integer"
      ? (column.bounds ??
        (column.categories ? extremes(column.categories) : [-largestInteger, largestInteger]))
      : column.bounds;
  return { exponent: 0, lo: toGrid(lo, 0).toString(), hi: toGrid(hi, 0).toString() };
}

/** round(x · 2^−exponent), ties to even. The caller clamps. */
export function toGrid(x: number, exponent: number): bigint {
  return BigInt(roundHalfEven(x * 2 ** -exponent));
}

/** The nearest integer, ties to even, as IEEE 754's default rounding and as engines cast a double to an integer. */
export function roundHalfEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

export function clampInteger(i: bigint, lo: bigint, hi: bigint): bigint {
  return i > hi ? hi : i < lo ? lo : i;
}

function extremes(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function magnitude([lo, hi]: readonly [number, number]): number {
  return Math.max(Math.abs(lo), Math.abs(hi));
}

/**
 * Fine enough for 2^20 levels between the bounds, but no finer than the doubles at the larger bound: grid integers stay
 * within 2^53, and that bound is a grid point, so at least one lies between them.
 */
function stepExponent(bounds: readonly [number, number]): number {
  const [lo, hi] = bounds;
  if (!(magnitude(bounds) > 0)) return 0;
  const span = Math.min(hi - lo, Number.MAX_VALUE);
  const forLevels = span > 0 ? binaryExponent(span) - Math.log2(numberLevels) : -largestExponent;
  const forMagnitude = binaryExponent(magnitude(bounds)) - 52;
  return Math.min(largestExponent, Math.max(-largestExponent, forLevels, forMagnitude));
}

/** ⌊log₂ x⌋ of a positive double, without trusting a logarithm. */
function binaryExponent(x: number): number {
  let exponent = Math.floor(Math.log2(x));
  while (exponent > -1074 && 2 ** exponent > x) exponent -= 1;
  while (exponent < 1023 && 2 ** (exponent + 1) <= x) exponent += 1;
  return exponent;
}
