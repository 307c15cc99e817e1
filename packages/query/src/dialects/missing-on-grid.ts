import { clampInteger, gridOf, toGrid } from "../plan/grid.ts";
import type { IntegerColumn, NumberColumn, TimeColumn } from "../policy/policy.ts";
import { integerText } from "./integer-text.ts";

/**
 * What a value becomes that is missing, or none of its column, where the column lies on a grid: the default's integer there,
 * as SQL, or NULL, which every column without a default may be.
 */
export function missingOnGrid(column: NumberColumn | IntegerColumn | TimeColumn): string {
  if (column.default === null) return "NULL";
  const grid = gridOf(column)!;
  return integerText(clampInteger(toGrid(column.default, grid.exponent), BigInt(grid.lo), BigInt(grid.hi)));
}
