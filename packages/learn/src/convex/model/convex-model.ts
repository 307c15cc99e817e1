import type { Adjacency, Event } from "@lethe/core";
import type { DeclaredColumn } from "../../model/model.ts";
import type { LossDescription } from "../losses/loss-of.ts";
import type { ConvexPlan } from "../tuning/convex-plan.ts";
import type { TuningPlan } from "../tuning/plan-tuning.ts";

/**
 * A linear model of declared columns: a row's score is the sum of its vector's entries times their weights. For a number it is the prediction, in half
 * widths of the target's bounds from their middle; for two categories its sign tells the class, and under the logistic loss it is the logarithm
 * of the odds. Plain JSON.
 */
export interface ConvexModel {
  readonly kind: "convex";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly features: readonly DeclaredColumn[];
  /** Whether the first weight is of an entry that is always 1. */
  readonly intercept: boolean;
  readonly loss: LossDescription;
  /** One for each entry: a number has one, and a column of categories one for each of them. */
  readonly weights: readonly number[];
  readonly algorithm: ConvexPlan["algorithm"];
  /** What was known before any data: constants, prices and the proven bound. */
  readonly report: ConvexPlan["report"];
  /** How it was chosen among candidates; null where there was one. The report is that of its training alone. */
  readonly tuning: {
    /** The place of its plan among the candidates. */
    readonly candidate: number;
    /** The noisy sum of gains that it was chosen by. */
    readonly score: number;
    /** The price of all tries. */
    readonly report: TuningPlan["report"];
  } | null;
  readonly adjacency: Adjacency;
  /** The cost of the training. */
  readonly event: Event;
}
