import type { Expression } from "../../expressions/expression.ts";
import type { Grid } from "../../grid/grid.ts";

export interface CovarianceTypes {
  readonly asked: Covariance;
  readonly planned: PlannedCovariance;
  readonly sum: ProductsSum;
}

/** The covariance over rows where neither argument is NULL: `argument` and `other` are NULL on all other rows, both together. */
export interface Covariance {
  readonly kind: "covariance";
  /** Whether the sum is divided by n (COVAR_POP), else by n − 1 (COVAR_SAMP). */
  readonly population: boolean;
  readonly argument: Expression;
  readonly other: Expression;
  /** The argument whose rows are counted: `argument` or `other`. */
  readonly present: Expression;
  /** The arguments as the question writes them. */
  readonly written: string;
}

/**
 * products measures Σ(i − mid)(j − otherMid), sum and otherSum Σ(i − mid) and Σ(j − otherMid):
 * c = products/count − (sum/count)·(otherSum/count).
 */
export interface PlannedCovariance {
  readonly kind: "covariance";
  readonly population: boolean;
  readonly products: string;
  readonly sum: string;
  readonly otherSum: string;
  readonly count: string;
  readonly half: string;
  readonly otherHalf: string;
  /** The exponent of the product of both steps. */
  readonly exponent: number;
}

export interface ProductsSum {
  readonly kind: "scaled-products";
  readonly argument: Expression;
  readonly grid: Grid;
  readonly mid: string;
  readonly half: string;
  /** NULL where the argument is, and only there. */
  readonly other: {
    readonly argument: Expression;
    readonly grid: Grid;
    readonly mid: string;
    readonly half: string;
  };
}
