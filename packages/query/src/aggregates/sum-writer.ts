import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";
import type { ValueWriter } from "../sql/value-writer.ts";

/** The compiler's side of one sum: it writes the parts of engine SQL. Texts are SQL; every intermediate fits 128 bits: the planner's verify proves it. */
export interface SumWriter {
  /** r, the most rows with which a unit counts in a group. */
  readonly rows: bigint;
  /** Writes the values of the engine's SQL. */
  readonly write: ValueWriter;
  /** Counts units; with an argument, those that have it. */
  units(counted: string | null): string;
  /** Returns the argument as it is counted; null where all rows are. */
  counted(argument: Expression | null): string | null;
  /** Returns the argument as it is told apart from others. */
  valued(argument: Expression): string;
  /** Returns the grid integer that stands for an argument. */
  gridded(argument: Expression, grid: Grid): string;
  /** Writes an integer to compute with: of 64 bits where this sum has room in them over as many rows as there may be, and else of 128. */
  whole(x: bigint): string;
  /** Sums integers of rows, each as large as the sum's kind says at most. */
  added(x: string): string;
  /** Writes the distance of a grid integer from another integer, i − mid. */
  distance(integer: string, mid: string): string;
  /** Clamps an integer. */
  clamped(value: string, lo: string, hi: string): string;
  /** Counts the rows that have an argument: all, or those where its integer is there. */
  present(argument: Expression, integer: string): string;
  /** Writes a sum, which is 0 over no rows. */
  orZero(sum: string): string;
  /** Writes the condition that `n` rows of a unit add up as they are. */
  few(n: string): string;
  /** Returns `value` for a row that holds several units within their bounds, and else `otherwise`. */
  unlessMerged(value: () => string, otherwise: string): string;
  /** Writes ⌊total·r/n + ½⌋ for n > r rows; totals are not negative. */
  scaled(total: string, n: string): string;
}
