import type { Expression } from "../../expressions/expression.ts";
import type { Grid } from "../../grid/grid.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import type { DistinctPowers } from "../distinct/distinct-powers.ts";
import type { Factor } from "../factor.ts";

export interface SumTypes {
  readonly asked: SumAggregate;
  readonly planned: PlannedSum;
  readonly sum: ClampedSum | DistinctPowers;
}

export interface SumAggregate {
  readonly kind: "sum";
  readonly argument: Expression;
  readonly bounds: AskedBounds | null;
  /** Whether each value counts once. */
  readonly distinct?: true;
}

/** value = measurement · 2^exponent */
export interface PlannedSum {
  readonly kind: "sum";
  readonly sum: string;
  readonly exponent: number;
  readonly distinct?: true;
}

export interface ClampedSum {
  readonly kind: "sum";
  readonly argument: Expression;
  /** Of a product of factors, the integers that those of its factors multiply to. */
  readonly grid: Grid;
  readonly lo: string;
  readonly hi: string;
  /** Where the argument's integer is the product of theirs, rather than the argument rounded and clamped: see productOfFactors. */
  readonly factors?: readonly Factor[];
}
