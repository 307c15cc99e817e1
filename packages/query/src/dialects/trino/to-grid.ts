import type { Grid } from "../../grid/grid.ts";
import { double, integer } from "./literals.ts";
import { roundHalfEven } from "./round-half-even.ts";

/** A double's grid integer. Between the ends the scaled double is no larger than they are, within 64 bits, and the cast of an integer is exact. */
export function gridInteger(x: string, grid: Grid, missing: string): string {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const end = (i: bigint): string => double(Number(i) * 2 ** grid.exponent);
  const scaled = grid.exponent === 0 ? x : `(${x} * ${double(2 ** -grid.exponent)})`;
  const largest = Math.max(Math.abs(Number(lo)), Math.abs(Number(hi)));
  return (
    `CASE WHEN is_finite(${x}) THEN CASE WHEN ${x} >= ${end(hi)} THEN ${integer(hi)} WHEN ${x} <= ${end(lo)} THEN ${integer(lo)} ` +
    `ELSE CAST(${roundHalfEven(scaled, largest)} AS bigint) END ELSE ${missing} END`
  );
}
