import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";
import type { AskedBounds } from "./bounds/aggregate-bounds.ts";
import type { SumColumn } from "./kinds.ts";

/** A sum of the plan, by its name, and what it is multiplied by in a measurement. */
export interface MeasuredTerm {
  readonly sum: string;
  readonly coefficient: string;
}

/** Least and greatest value of a present unit. */
export interface UnitRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** The planner's side of an aggregate: it measures sums and counts. Each measurement is made once, however many aggregates it is a part of. */
export interface Measurer {
  /** The most rows with which a unit counts in a group. */
  readonly rows: bigint;
  /** Whether a unit's value in a group is exactly the sum over its rows there. */
  readonly rowsAreBounded: boolean;
  readonly unitIsRow: boolean;
  /**
   * Returns the importances of the parts of one answer from their squares: (∂answer/∂part · magnitude)², in the answer's own full
   * scale, where the average lies half-way between the middle and a bound, that is |S/C| = half/2.
   */
  parts<const T extends readonly number[]>(...squares: T): { readonly [K in keyof T]: number };
  /** Returns the name of a sum. */
  sum(sum: SumColumn): string;
  /** Returns the name of the measurement with these terms: `describes`, unless another is called so. Asked for again, it only grows in importance. */
  measure(
    describes: string,
    terms: readonly MeasuredTerm[],
    range: UnitRange,
    argument: Expression | null,
    importance: number,
    within?: AskedBounds | null,
  ): string;
  /** Returns the name of the tree over an argument's grid, which all its quantiles are read from. */
  tree(argument: Expression, grid: Grid): string;
}
