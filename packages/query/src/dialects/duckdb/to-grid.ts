import type { Grid } from "../../grid/grid.ts";
import { double, integer } from "./literals.ts";

/** The narrowest of two integer types, which sums read fastest. */
export function gridType(grid: Grid): "INTEGER" | "BIGINT" {
  const fits = (i: bigint): boolean => i >= -(2n ** 31n) && i < 2n ** 31n;
  return fits(BigInt(grid.lo)) && fits(BigInt(grid.hi)) ? "INTEGER" : "BIGINT";
}

/**
 * The cast rounds half to even and is NULL for NaN, ±Inf and whatever the type cannot hold; the integer is clamped.
 * Where it is NULL or below lo, a finite x lies beyond one of the ends: x itself says which. Written so that a common
 * row costs one cast and two comparisons of integers.
 */
export function gridInteger(x: string, grid: Grid, missing: string): string {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const scaled = grid.exponent === 0 ? x : `${x} * ${double(2 ** -grid.exponent)}`;
  const i = `TRY_CAST(${scaled} AS ${gridType(grid)})`;
  const high = double(Number(hi) * 2 ** grid.exponent);
  return (
    `CASE WHEN ${i} >= ${integer(lo)} THEN CASE WHEN ${i} <= ${integer(hi)} THEN ${i} ELSE ${integer(hi)} END ` +
    `WHEN isfinite(${x}) THEN CASE WHEN ${x} >= ${high} THEN ${integer(hi)} ELSE ${integer(lo)} END ELSE ${missing} END`
  );
}
