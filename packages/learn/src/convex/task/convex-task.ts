import type { RowTask } from "../../model/row-task.ts";
import type { LossDescription } from "../losses/loss-of.ts";

/** A convex model as a file describes it, its columns resolved by a policy: all but its price and its unit, which the policy and the asker state. */
export interface ConvexTask extends RowTask {
  readonly kind: "convex";
  readonly version: 1;
  /** The declared number of units: public, and never counted. */
  readonly units: number;
  /** Whether a feature that is always 1 stands before the columns. */
  readonly intercept: boolean;
  /** One, or several of which a private choice is made. */
  readonly choices: readonly PlacedChoice[];
  /** How one of several is chosen; null where there is one. */
  readonly tuning: TuningChoice | null;
}

export interface PlacedChoice {
  readonly choice: ConvexChoice;
  /** Where the keys of the file stand, for refusals: those of the choice, and those of the whole. */
  readonly places: Places;
}

export interface TuningChoice {
  /** How many candidates are tried, on average. */
  readonly tries: number;
  /** The share of the ρ of one try that its score takes. */
  readonly scoreShare: number;
}

/** What is minimised, over which weights, and how. */
export interface ConvexChoice {
  readonly loss: LossDescription;
  /** The radius of the ball of weights: in ℓ2, and for Frank–Wolfe in ℓ1. */
  readonly radius: number;
  readonly algorithm: AlgorithmChoice;
}

export type AlgorithmChoice =
  | { readonly name: "descent"; readonly noise: "tight" | "theorem"; readonly steps?: number }
  | { readonly name: "localization" | "one-pass"; readonly stepSize?: number }
  | { readonly name: "output-perturbation"; readonly ridge?: number }
  | { readonly name: "objective-perturbation" }
  | { readonly name: "frank-wolfe"; readonly steps?: number };

export type AlgorithmName = AlgorithmChoice["name"];

/** The place of each key that stands in a file, and its path there. */
export type Places = Readonly<
  Record<string, { readonly path: string; readonly line: number; readonly column: number }>
>;
