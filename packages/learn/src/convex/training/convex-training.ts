import type { Event } from "@lethe/core";
import { type Design, designWidth, mostSquaredNorm } from "../../design/design.ts";
import type { DeclaredColumn } from "../../model/model.ts";
import type { LossDescription } from "../losses/loss-of.ts";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import type { ConvexPlan } from "../tuning/convex-plan.ts";
import type { TuningPlan } from "../tuning/plan-tuning.ts";

/** Everything about the training of a convex model but the rows and the coins: plain JSON, a function of its description and its price alone. */
export interface ConvexTraining {
  readonly kind: "convex-plan";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly features: readonly DeclaredColumn[];
  /** Whether a feature that is always 1 stands before the columns. */
  readonly intercept: boolean;
  readonly method: ConvexMethod;
  /** What is charged, before a row is read: the method's event, or the charge of a choice. */
  readonly event: Event;
}

/** One plan, or a private choice among several. */
export type ConvexMethod = ConvexPlan | TuningPlan;

/** Just above the root of an integer. */
const up = 1 + 2 ** -50;

/**
 * Returns the problem of a training: its bounds follow from the columns, and are never typed. A row's vector has ℓ2 norm at most √(1 + columns),
 * its largest entry is at most 1, and so is a target: a number scaled by its bounds, or a class as ±1.
 * @example problemOf({ features: [age, sector], intercept: true }, { loss: { name: "logistic" }, radius: 4, norm: "l2" }).features.bound // => 1.7321
 */
export function problemOf(
  { features, intercept }: Pick<ConvexTraining, "features" | "intercept">,
  choice: { readonly loss: LossDescription; readonly radius: number; readonly norm: "l2" | "max" },
): ConvexProblem {
  const design: Design = { columns: features, intercept };
  const { loss, radius, norm } = choice;
  const bound = norm === "max" ? 1 : Math.sqrt(mostSquaredNorm(design)) * up;
  return { loss, dimension: designWidth(design), features: { norm, bound }, labels: 1, radius };
}
