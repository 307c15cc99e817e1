import type { Expression } from "../expressions/expression.ts";
import type { UnitAggregate } from "./unit-aggregate.ts";

/**
 * A value of each row, made of rows of the same unit that agree with it in the partition. They stand in the order that is asked
 * for, and those that it does not tell apart in the order of all columns that the relation has, NULL last.
 *   row-number       the place of the row in that order, from 1
 *   rank, dense-rank 1 plus the number of rows, or of different places, before it in the order that is asked for
 *   lag, lead        the argument in the row so many places before, or after
 *   first, last      the argument in the first, or last, row of the frame
 *   an aggregate     of the frame's rows; NULL, or 0 for counts, where there are none
 */
export interface UnitWindow {
  readonly value: WindowValue;
  /** The keys of the partition besides the unit. */
  readonly partition: readonly Expression[];
  readonly order: readonly WindowOrder[];
  /** Null: all rows up to the last that the order does not tell from this one; all of them where there is no order. */
  readonly frame: WindowFrame | null;
}

export type WindowValue =
  | Exclude<UnitAggregate, { readonly kind: "count-distinct" }>
  | { readonly kind: "row-number" | "rank" | "dense-rank"; readonly argument: null }
  | { readonly kind: "lag" | "lead"; readonly argument: Expression; readonly by: number }
  | { readonly kind: "first" | "last"; readonly argument: Expression };

export interface WindowOrder {
  readonly by: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** ROWS from so many after this row (negative: before it) to so many after it; null for all on that side. */
export interface WindowFrame {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The most rows before and after a row that a frame may reach where it does not begin with the first row: engines may add up each
 * row's frame anew. Also how far LAG and LEAD look.
 */
export const mostFrameRows = 1000;

/** Whether a frame may hold no row at all. */
export function mayBeEmpty(frame: WindowFrame | null): boolean {
  if (frame === null) return false;
  return (frame.from !== null && frame.from > 0) || (frame.to !== null && frame.to < 0);
}

/** Whether rows that the order does not tell apart must be put in some order all the same. */
export function needsPlaces({ value, frame }: UnitWindow): boolean {
  if (value.kind === "rank" || value.kind === "dense-rank") return false;
  return frame !== null || ["row-number", "lag", "lead", "first", "last"].includes(value.kind);
}

/** Returns the expressions that a window reads on the rows. */
export function readByWindow({ value, partition, order }: UnitWindow): readonly Expression[] {
  return [...partition, ...order.map(({ by }) => by), ...(value.argument ? [value.argument] : [])];
}
