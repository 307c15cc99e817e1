import type { Dialect } from "../../dialects/dialect.ts";
import { gridOf } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { onGrid } from "./on-grid.ts";
import { oneZero } from "./one-zero.ts";

/** A value as a column keeps it: of a number with bounds its integer on their grid. `value` is cheap to repeat. */
export function keptText(column: ColumnPolicy, value: string, dialect: Dialect): string {
  const grid = gridOf(column);
  if (grid !== null) return dialect.write.cast(onGrid(column, value, grid, dialect), "integer");
  return column.type === "number" ? oneZero(value, dialect) : value;
}
