import type { Category, ModelColumn, NumberColumn } from "../../model/model.ts";
import type { Interval } from "../../moments/error-interval.ts";

/** A regression in the columns' own units. JSON throughout. */
export interface FittedRegression {
  readonly version: 1;
  readonly kind: "linear-regression" | "ridge-regression";
  readonly target: NumberColumn;
  readonly features: readonly ModelColumn[];
  readonly penalty: number;
  /** null where the line passes through 0. */
  readonly intercept: Coefficient | null;
  /** Of each number, and of each category beside the one that others are compared with. */
  readonly coefficients: readonly FeatureCoefficient[];
  readonly confidence: number;
  /** Whether noise drowned a direction of the data, which was then held back by a public rule; intervals are null. */
  readonly drowned: boolean;
  /** What the model is of, in words. */
  readonly notes: readonly string[];
}

export interface Coefficient {
  readonly value: number;
  /**
   * Covers, with the confidence, the coefficient that the same fit without noise has on the rows in the database, cleaned and limited as
   * the policy says: not that of a population. Null where noise drowns the data.
   */
  readonly interval: Interval | null;
}

export interface FeatureCoefficient extends Coefficient {
  readonly column: string;
  /** null for a number. */
  readonly category: Category | null;
}
