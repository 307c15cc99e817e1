import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";

/** A sum of powers of distances from the middle of a grid, scaled down to r of a unit's rows where it has more. */
export interface ScaledSum {
  readonly kind: "scaled-sum" | "scaled-squares" | "scaled-cubes";
  readonly argument: Expression;
  readonly grid: Grid;
  readonly mid: string;
  readonly half: string;
}
