import type { Dialect } from "../../dialects/dialect.ts";
import { gridOf } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { onGrid } from "./on-grid.ts";

/** A value as a column keeps it: of a number with bounds its integer on their grid. `value` is cheap to repeat. */
export function keptText(column: ColumnPolicy, value: string, dialect: Dialect): string {
  const grid = gridOf(column);
  if (grid !== null) return `CAST(${onGrid(column, value, grid, dialect)} AS ${dialect.types.integer})`;
  // −0 and 0 are one number: which of the two a group is known by, engines may choose.
  return column.type === "number" ? `(${value} + ${dialect.double(0)})` : value;
}
