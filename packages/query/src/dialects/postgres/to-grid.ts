import type { Grid } from "../../grid/grid.ts";
import { double, integer } from "./literals.ts";

/**
 * A double's grid integer. Clamped before it is scaled, for PostgreSQL raises where a product overflows, underflows to 0
 * or fits no bigint; between the ends the cast rounds half to even and stays between them. Compared with NaN, PostgreSQL
 * takes NaN for the largest.
 */
export function gridInteger(x: string, grid: Grid, missing: string): string {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const step = 2 ** grid.exponent;
  const end = (i: bigint): string => double(Number(i) * step);
  const scaled = grid.exponent === 0 ? x : `${x} * ${double(1 / step)}`;
  return [
    `CASE WHEN ${x} >= ${end(hi)} THEN CASE WHEN ${x} < float8 'Infinity' THEN ${integer(hi)} ELSE ${missing} END`,
    `WHEN ${x} <= ${end(lo)} THEN CASE WHEN ${x} > float8 '-Infinity' THEN ${integer(lo)} ELSE ${missing} END`,
    ...(grid.exponent > 0 ? [`WHEN abs(${x}) <= ${double(step / 2)} THEN 0`] : []),
    ...(missing === "NULL" ? [] : [`WHEN ${x} IS NULL THEN ${missing}`]),
    `ELSE CAST(${scaled} AS bigint) END`,
  ].join(" ");
}
