import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { AskedBounds } from "./aggregate-bounds.ts";
import { argumentGrid } from "./argument-grid.ts";

/**
 * Returns the grid of an argument whose rows are bounded, never a unit's sum in a group. Errors: query.option for bounds a group, and
 * those of {@link argumentGrid}.
 */
export function rowGrid(name: string, argument: Expression, bounds: AskedBounds | null, further = ""): Grid {
  if (bounds?.per === "group") {
    refuse(
      "query.option",
      `${name} takes bounds per row, not per group`,
      `write ${name}(${writeSql(argument)}${further}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
    );
  }
  return argumentGrid(name, argument, bounds, further);
}
