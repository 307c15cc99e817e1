import type { Adjacency, RationalInput } from "@lethe/core";
import type { GaussianBudget } from "@lethe/core/mechanisms";
import type { BoostedColumn, BoostingTarget } from "./boosted-column.ts";

/** A training as it is asked for, with its price: all of it public, chosen before the data are seen. */
export interface BoostingDescription {
  /** Two categories for a logistic model of the second, or a number with bounds for a regression. */
  readonly target: BoostingTarget;
  readonly features: readonly BoostedColumn[];
  readonly adjacency: Adjacency;
  /** The price of the whole training: { epsilon, delta }, { rho } or { muSquared }. */
  readonly budget: GaussianBudget<RationalInput>;
  /** The most bins that the cells of a number are merged to: 16 unless stated, at most 256. */
  readonly bins?: number;
  /** How often every shape is bettered in turn: 8 unless stated. */
  readonly rounds?: number;
  /** The share of a Newton step that is taken, in (0, 1]: 1 unless stated. */
  readonly rate?: number;
  /**
   * The largest norm of a unit's residuals in one step: 1 unless stated. A residual is y − p for a class, and for a number (y − ŷ) over half the
   * width of its bounds, so that 1 clips nothing of a unit with one row and two classes.
   */
  readonly clip?: number;
  /** The largest norm of the counts of a unit's rows in one column, in rows: 1 unless stated. */
  readonly rows?: number;
  /** The share of (Δ₂/σ)² that pays for the noisy counts of cells, in (0, 1): 0.2 unless stated. */
  readonly countShare?: number;
  /** How much a step shrinks, in standard deviations of the noise of one residual sum: 1 unless stated, above 0. */
  readonly shrinkage?: number;
}
