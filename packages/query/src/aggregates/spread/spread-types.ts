import type { Expression } from "../../expressions/expression.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import type { ScaledSum } from "../scaled-sum.ts";

export interface SpreadTypes {
  readonly asked: SpreadAggregate;
  readonly planned: PlannedSpread;
  readonly sum: ScaledSum;
}

export interface SpreadAggregate {
  readonly kind: "variance" | "stddev";
  /** Whether the sum of squares is divided by n (VAR_POP), else by n − 1 (VAR_SAMP, VARIANCE). */
  readonly population: boolean;
  readonly argument: Expression;
  readonly bounds: AskedBounds | null;
  /** The expression that is counted in the argument's place: it is NULL exactly where the argument is. */
  readonly present?: Expression;
  /** Whether each value counts once. */
  readonly distinct?: true;
}

/**
 * squares measures Σ((i − mid)² − offset), sum measures Σ(i − mid), offset = half²/2 (rounded):
 * v = squares/count + offset − (sum/count)².
 */
export interface PlannedSpread {
  readonly kind: "variance" | "stddev";
  readonly population: boolean;
  readonly squares: string;
  readonly sum: string;
  readonly count: string;
  readonly half: string;
  readonly offset: string;
  readonly exponent: number;
  readonly distinct?: true;
}
