import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";
import type { Factor } from "./factor.ts";
import type { SumWriter } from "./sum-writer.ts";

/** The sign that a measured total must have: a public fact that shortens intervals near 0. */
export interface PossibleSigns {
  readonly atLeast?: bigint;
  readonly atMost?: bigint;
}

/** An expression, and the grid on which its values are clamped; the grid is null where values are only told apart. */
export interface ReadValue {
  readonly argument: Expression;
  readonly grid: Grid | null;
  /** Where its integer is the product of theirs: they are put on grids, and the value itself is not. */
  readonly factors?: readonly Factor[] | undefined;
}

/** The most values of an expression that a group counts of one unit. */
export interface KeptValues {
  readonly argument: Expression;
  readonly most: number;
}

/** The range that a unit's own sum is clamped to, and the largest size of one row's value, in the question's units. */
export interface UnitRange {
  readonly argument: Expression;
  readonly lo: number;
  readonly hi: number;
  readonly largest: number;
}

/** One kind of integer that the engine computes a group. */
export interface SumKind<S> {
  /** Whether its value for several groups together is the sum of what it is for each. */
  addsUp(unitIsRow: boolean): boolean;
  /** Whether a unit adds 1 to a group, however many of its rows lie there. */
  readonly countsUnits: boolean;
  /** Whether it is a number of rows or units, by which the width of a ratio to it is told. */
  readonly countsRows: boolean;
  /** Returns the argument whose rows are counted; null where there is none. */
  counted(sum: S): Expression | null;
  /** Returns the row expressions whose values it reads, without those that it only counts as present or absent. */
  values(sum: S): readonly ReadValue[];
  /** Returns how many values of a unit are kept where not all are; null where it keeps no values apart. */
  kept(sum: S): KeptValues | null;
  /** Returns the range that a unit's own sum is clamped to; null where it is no such sum. */
  unitRange(sum: S): UnitRange | null;
  /** Whether a unit with more rows than it may have keeps them all, each with less weight. */
  readonly weighsRows: boolean;
  signs(sum: S, unitIsRow: boolean): PossibleSigns;
  /** Returns the least and the greatest that one row adds, as far as a ratio's width needs it: a count's is at most 1. */
  rowRange(sum: S): readonly [number, number];
  /** Whether the value of a unit with at most r rows may be another than the sum over its rows. */
  mayClamp(sum: S, r: bigint): boolean;
  /** Returns the value of one integer in the question's units. */
  step(sum: S): number;
  /** Returns the largest integer that one row brings into the engine's sum, in absolute value; `rows` are the most of a unit. */
  largest(sum: S, rows: number): bigint;
  /** Writes the aggregate over all rows of a group, where each row is a unit or only rows are bounded. */
  overRows(sum: S, writer: SumWriter): string;
  /**
   * Writes a unit's clamped value in a group, made of the aggregates of its rows, which `piece` collects. Null where the value for
   * a group is not the sum of its units' values.
   */
  readonly overUnit: ((sum: S, writer: SumWriter, piece: (aggregate: string) => string) => string) | null;
}
