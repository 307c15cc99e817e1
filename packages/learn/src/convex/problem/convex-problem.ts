import { invalidParameter, LetheError } from "@lethe/core";
import { type LossDescription, lossOf } from "../losses/loss-of.ts";
import type { ScalarLoss } from "../losses/scalar-loss.ts";

/**
 * A convex problem: minimise the mean over units of loss(⟨w, x⟩, y) over weights w of bounded norm. All bounds are public and declared before
 * the data are seen; features and labels beyond them are clipped to them.
 */
export interface ConvexProblem {
  readonly loss: LossDescription;
  /** The length of w and x. A constant feature gives an intercept. */
  readonly dimension: number;
  /** The bound of every row's features: their ℓ2 norm, with weights in an ℓ2 ball; or the largest of their sizes, with weights in an ℓ1 ball. */
  readonly features: { readonly norm: "l2" | "max"; readonly bound: number };
  /** The largest |label|; needed unless labels are classes. */
  readonly labels?: number;
  /** The radius of the ball of weights about 0, in the norm dual to that of the features. */
  readonly radius: number;
}

/** What theorems ask of a problem, derived from its declared bounds alone. */
export interface ProblemConstants {
  readonly loss: ScalarLoss;
  /** The largest |label| after clipping. */
  readonly labels: number;
  /** The largest |⟨w, x⟩|. */
  readonly reach: number;
  /** L: the norm of a unit's gradient is at most this, in the norm of the features. */
  readonly lipschitz: number;
  /** β, with respect to the norm of the weights; null for a loss whose slope jumps. */
  readonly smoothness: number | null;
  readonly radius: number;
  /** What the weights 0, found without any data, lose at most. */
  readonly worstExcess: number;
}

/** The most coordinates of w: squares of integers on the grid add up exactly in doubles. */
const mostDimensions = 8192;

const up = 1 + 2 ** -40;

/**
 * Returns the constants of a problem: L = steepest slope·bound and β = curvature·bound², by the chain rule, rounded up.
 * Source: C Def 4; Shalev-Shwartz & Ben-David 2014, Sec. 12.1.
 * Direction: upper.
 * Errors: parameter.invalid for an unknown loss, a bound that is missing or not positive, a radius that is not, more than 8192 dimensions;
 * and for gradients to be clipped.
 * @example constantsOf({ loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 2 }, radius: 1 }).smoothness // => 1
 */
export function constantsOf(problem: ConvexProblem): ProblemConstants {
  refuseClipping(problem);
  const loss = lossOf(problem.loss);
  const { dimension, features, radius } = problem;
  if (!(Number.isSafeInteger(dimension) && dimension >= 1 && dimension <= mostDimensions))
    throw invalidParameter("dimension", dimension, `an integer from 1 to ${mostDimensions}`);
  if (features?.norm !== "l2" && features?.norm !== "max")
    throw invalidParameter("features.norm", features?.norm, "l2 or max: a declared bound of every row");
  positive("features.bound", features.bound);
  positive("radius", radius);
  const labels = labelBound(problem, loss);
  const reach = radius * features.bound;
  const smoothness = loss.curvature === null ? null : loss.curvature * features.bound ** 2 * up;
  return {
    loss,
    labels,
    reach,
    lipschitz: finite("lipschitz", loss.steepest(reach, labels) * features.bound * up),
    smoothness: smoothness === null ? null : finite("smoothness", smoothness),
    radius,
    worstExcess: loss.worstExcess(reach, labels) * up,
  };
}

/** Returns 1 for classes, which are ±1 whatever is declared. */
function labelBound({ labels }: ConvexProblem, loss: ScalarLoss): number {
  if (loss.label(Number.NaN, 1) !== 0) return 1;
  if (labels === undefined)
    throw invalidParameter("labels", labels, "declared for this loss: its Lipschitz constant needs a bound");
  positive("labels", labels);
  return labels;
}

function positive(name: string, value: number): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    throw invalidParameter(name, value, "declared, > 0 and finite");
}

function finite(name: string, value: number): number {
  if (!(value < Number.POSITIVE_INFINITY))
    throw invalidParameter(name, value, "finite: declare smaller bounds");
  return value;
}

function refuseClipping(problem: ConvexProblem): void {
  if (problem !== null && typeof problem === "object" && !("clip" in problem)) return;
  if (problem === null || typeof problem !== "object")
    throw invalidParameter("problem", problem, "a description");
  throw new LetheError("parameter.invalid", "clipped gradients are no gradients of a convex function", {
    fix: "leave out clip: features are scaled into their declared bound, so that gradients need no clipping",
    fields: { name: "clip", condition: "convex" },
  });
}
