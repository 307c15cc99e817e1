import type { TimeType } from "../../expressions/calendar/times.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { AggregateBounds } from "../bounds/aggregate-bounds.ts";

export interface QuantileTypes {
  readonly asked: QuantileAggregate;
  readonly planned: PlannedQuantile;
  readonly sum: never;
}

/** The smallest value with at least this share of the rows up to it. */
export interface QuantileAggregate {
  readonly kind: "quantile";
  /** The share of rows, from 0 to 1. */
  readonly share: number;
  /** The aggregate that was asked for, where this quantile stands for it. */
  readonly standsFor: "min" | "max" | null;
  /** The type of time that the argument's numbers stand for: days (date) or seconds (timestamp) since 1970-01-01. Absent for numbers. */
  readonly time?: TimeType;
  readonly argument: Expression;
  readonly bounds: AggregateBounds | null;
}

/** The smallest value with this share of the rows up to it, of the tree of that name; the one that stands for MIN or MAX says so. */
export interface PlannedQuantile {
  readonly kind: "quantile";
  readonly tree: string;
  readonly share: number;
  readonly standsFor: "min" | "max" | null;
  /** The tree's values are days since 1970-01-01, or seconds, and the answer is a time. Absent for numbers. */
  readonly time?: TimeType;
}
