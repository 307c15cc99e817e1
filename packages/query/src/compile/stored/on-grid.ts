import type { Dialect } from "../../dialects/dialect.ts";
import { clampInteger } from "../../grid/grid.ts";
import type { Grid } from "../../plan/plan.ts";

/** A value's grid integer. What a plan takes for granted the SQL enforces: what is said never to be NULL is not. */
export function onGrid(
  { nullable }: { readonly nullable: boolean },
  value: string,
  grid: Grid,
  dialect: Dialect,
): string {
  const integer = dialect.toGrid(value, grid);
  return nullable ? integer : dialect.write.coalesce(integer, dialect.write.integer(nearestToZero(grid)));
}

function nearestToZero({ lo, hi }: Grid): bigint {
  return clampInteger(0n, BigInt(lo), BigInt(hi));
}
