import type { Expression } from "../../expressions/expression.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import type { ScaledSum } from "../scaled-sum.ts";

export interface AverageTypes {
  readonly asked: AverageAggregate;
  readonly planned: PlannedAverage;
  readonly sum: ScaledSum;
}

export interface AverageAggregate {
  readonly kind: "avg";
  readonly argument: Expression;
  readonly bounds: AskedBounds | null;
  /** The expression that is counted in the argument's place: it is NULL exactly where the argument is. */
  readonly present?: Expression;
  /** Whether each value counts once. */
  readonly distinct?: true;
}

/** value = (mid + sum/count) · 2^exponent, kept within bounds (grid integers lo, hi). */
export interface PlannedAverage {
  readonly kind: "avg";
  readonly sum: string;
  readonly count: string;
  readonly mid: string;
  readonly half: string;
  readonly exponent: number;
  readonly distinct?: true;
}
