import type { NumberDomain } from "../bind/domain.ts";
import type { ColumnPolicy } from "../policy/policy.ts";
import type { Grid } from "./plan.ts";

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
 * [round(lo · 2^−exponent), round(hi · 2^−exponent)]. Rounding is monotone, so clamping the integer gives what rounding
 * the clamped number gives: the end points move to the nearest grid point, by half a step at most.
 * @example gridFor([0, 60], false) // => { exponent: -15, lo: "0", hi: "1966080" }
 */
export function gridFor(bounds: readonly [number, number], integer: boolean): Grid {
  const [lo, hi] = bounds;
  const exponent =
    integer && hi - lo <= integerLevels && magnitude(bounds) <= largestInteger ? 0 : stepExponent(bounds);
  return { exponent, lo: toGrid(lo, exponent).toString(), hi: toGrid(hi, exponent).toString() };
}

/**
 * The grid in which a snapshot stores a column, and in which a raw column is read: null for a column that is not a
 * bounded number. Integers are stored as they are.
 */
export function gridOf(column: ColumnPolicy): Grid | null {
  if (column.type === "number") return column.bounds && gridFor(column.bounds, false);
  if (column.type !== "integer") return null;
  const { bounds, categories } = column;
  const [lo, hi] = bounds ?? (categories ? extremes(categories) : [-largestInteger, largestInteger]);
  return { exponent: 0, lo: toGrid(lo, 0).toString(), hi: toGrid(hi, 0).toString() };
}

/** The grid of an aggregate's argument, or null where nothing bounds it. */
export function gridOfDomain(domain: NumberDomain): Grid | null {
  return domain.bounds && gridFor(domain.bounds, domain.integer);
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

/** Fine enough for 2^20 levels between the bounds, and coarse enough that every grid integer stays within 2^52. */
function stepExponent(bounds: readonly [number, number]): number {
  const [lo, hi] = bounds;
  const span = hi - lo > 0 ? Math.min(hi - lo, Number.MAX_VALUE) : magnitude(bounds);
  if (!(span > 0)) return 0;
  const forLevels = binaryExponent(span) - Math.log2(numberLevels);
  const forMagnitude = binaryExponent(magnitude(bounds)) + 1 - 52;
  return Math.min(largestExponent, Math.max(-largestExponent, forLevels, forMagnitude));
}

/** ⌊log₂ x⌋ of a positive double, without trusting a logarithm. */
function binaryExponent(x: number): number {
  let exponent = Math.floor(Math.log2(x));
  while (exponent > -1074 && 2 ** exponent > x) exponent -= 1;
  while (exponent < 1023 && 2 ** (exponent + 1) <= x) exponent += 1;
  return exponent;
}
