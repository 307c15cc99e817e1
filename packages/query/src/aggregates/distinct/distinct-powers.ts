import type { Expression } from "../../expressions/expression.ts";
import type { Grid } from "../../grid/grid.ts";

/**
 * A sum over the grid integers i that units hold together, each taken once however many hold it: Σ (i − mid)^power. Power 0 counts them. `most` is
 * how many of a unit's own are taken in a group.
 */
export interface DistinctPowers {
  readonly kind: "distinct-powers";
  readonly argument: Expression;
  readonly grid: Grid;
  readonly mid: string;
  readonly power: 0 | 1 | 2;
  readonly most: number;
}
