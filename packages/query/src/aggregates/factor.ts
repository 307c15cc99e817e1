import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";

/** A part of a product: its grid integer, clamped by itself, is multiplied `power` times. */
export interface Factor {
  readonly argument: Expression;
  readonly grid: Grid;
  /** An integer ≥ 1. */
  readonly power: number;
}
