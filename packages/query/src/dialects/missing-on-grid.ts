import { clampInteger, type Grid, toGrid } from "../grid/grid.ts";
import type { IntegerColumn, NumberColumn, TimeColumn } from "../policy/policy.ts";
import { integerText } from "./integer-text.ts";

/**
 * Returns the value of a column on its grid where its own is missing or not valid: the default's integer on the grid, as SQL, or
 * NULL, which every column without a default may be.
 */
export function missingOnGrid(column: NumberColumn | IntegerColumn | TimeColumn, grid: Grid): string {
  if (column.default === null) return "NULL";
  return integerText(clampInteger(toGrid(column.default, grid.exponent), BigInt(grid.lo), BigInt(grid.hi)));
}
