import type { Expression } from "../../expressions/expression.ts";
import type { Grid } from "../../grid/grid.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { AskedBounds } from "./aggregate-bounds.ts";
import { argumentGrid, openedCall, type Written } from "./argument-grid.ts";

/**
 * Returns the grid of an argument whose rows are bounded, never a unit's sum in a group. Errors: query.option for bounds a group, and
 * those of {@link argumentGrid}.
 */
export function rowGrid(
  name: string,
  argument: Expression,
  bounds: AskedBounds | null,
  written: Written = {},
): Grid {
  if (bounds?.per === "group") {
    refuse(
      "query.option",
      `${name} takes bounds per row, not per group`,
      `write ${openedCall(name, argument, written)}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
    );
  }
  return argumentGrid(name, argument, bounds, written);
}
