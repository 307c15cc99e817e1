import type { Grid } from "../../plan/grid.ts";
import { double, integer } from "./literals.ts";

/** The narrowest of two integer types, which sums read fastest. */
export function gridType(grid: Grid): "INTEGER" | "BIGINT" {
  const fits = (i: bigint): boolean => i >= -(2n ** 31n) && i < 2n ** 31n;
  return fits(BigInt(grid.lo)) && fits(BigInt(grid.hi)) ? "INTEGER" : "BIGINT";
}

/**
 * The cast rounds half to even and is NULL for NaN, ±Inf and whatever the type cannot hold. Written so that a common row costs two
 * comparisons and one cast.
 */
export function gridInteger(x: string, grid: Grid, missing: string): string {
  const ends = [BigInt(grid.lo), BigInt(grid.hi)] as const;
  const scaled = grid.exponent === 0 ? x : `${x} * ${double(2 ** -grid.exponent)}`;
  const i = `TRY_CAST(${scaled} AS ${gridType(grid)})`;
  return ends.every(isExact)
    ? between(x, i, ends, grid.exponent, missing)
    : clamped(x, i, ends, grid.exponent, missing);
}

/** Whether i·2^e is a double for every e in use, so that comparing doubles is comparing integers of the grid. */
const isExact = (i: bigint): boolean => i >= -(2n ** 53n) && i <= 2n ** 53n;

type Ends = readonly [bigint, bigint];

/** What lies between the ends rounds to an integer between them; what does not is at the end that it is beyond. */
function between(x: string, i: string, [lo, hi]: Ends, exponent: number, missing: string): string {
  const [low, high] = [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent].map(double);
  return (
    `CASE WHEN ${x} BETWEEN ${low} AND ${high} THEN ${i} ` +
    `WHEN isfinite(${x}) THEN CASE WHEN ${x} > ${low} THEN ${integer(hi)} ELSE ${integer(lo)} END ELSE ${missing} END`
  );
}

/** The integer is clamped. Where it is NULL or below lo, a finite x lies beyond one of the ends: x itself says which. */
function clamped(x: string, i: string, [lo, hi]: Ends, exponent: number, missing: string): string {
  const high = double(Number(hi) * 2 ** exponent);
  return (
    `CASE WHEN ${i} >= ${integer(lo)} THEN CASE WHEN ${i} <= ${integer(hi)} THEN ${i} ELSE ${integer(hi)} END ` +
    `WHEN isfinite(${x}) THEN CASE WHEN ${x} >= ${high} THEN ${integer(hi)} ELSE ${integer(lo)} END ELSE ${missing} END`
  );
}
