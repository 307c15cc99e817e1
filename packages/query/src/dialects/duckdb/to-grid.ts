import type { Grid } from "../../plan/plan.ts";
import { double, integer } from "./literals.ts";

/** The narrowest of two integer types, which sums read fastest. */
export function gridType(grid: Grid): "INTEGER" | "BIGINT" {
  const fits = (i: bigint): boolean => i >= -(2n ** 31n) && i < 2n ** 31n;
  return fits(BigInt(grid.lo)) && fits(BigInt(grid.hi)) ? "INTEGER" : "BIGINT";
}

/**
 * Between the bounds the scaled value rounds to an integer between lo and hi, as rounding is monotone; a cast of a double
 * rounds half to even. Outside, the clamped integer stands at once. NaN exceeds every number in DuckDB and ±Inf every
 * finite one: both fall through to `missing`.
 */
export function gridInteger(x: string, grid: Grid, missing: string): string {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const step = 2 ** grid.exponent;
  const scaled = grid.exponent === 0 ? x : `${x} * ${double(2 ** -grid.exponent)}`;
  const [low, high] = [double(Number(lo) * step), double(Number(hi) * step)];
  return (
    `CASE WHEN ${x} BETWEEN ${low} AND ${high} THEN CAST(${scaled} AS ${gridType(grid)}) ` +
    `WHEN isfinite(${x}) THEN CASE WHEN ${x} >= ${high} THEN ${integer(hi)} ELSE ${integer(lo)} END ELSE ${missing} END`
  );
}
