import type { Loss, Problem } from "./convex.ts";

/** What a loss of predictions within ±reach and targets within ±1 is, by its definition. */
interface LossFacts {
  /** The largest |slope|. */
  readonly steepest: number;
  /** The largest second derivative, everywhere; null where the slope jumps. */
  readonly curvature: number | null;
  /** What the prediction 0 loses at most against the best within reach. */
  readonly zeroLoses: number;
}

/** The constants of a problem, derived anew from its loss and its bounds. */
export interface Constants {
  /** L. */
  readonly lipschitz: number;
  /** β; null where the loss is not smooth. */
  readonly smoothness: number | null;
  readonly radius: number;
  readonly zeroLoses: number;
}

/** Returns L = steepest·bound, β = curvature·bound² and what the weights 0 lose at most. */
export function constantsOf({ loss, features, radius }: Problem): Constants {
  const { steepest, curvature, zeroLoses } = factsOf(loss, radius * features.bound);
  return {
    lipschitz: steepest * features.bound,
    smoothness: curvature === null ? null : curvature * features.bound * features.bound,
    ...{ radius, zeroLoses },
  };
}

function factsOf(loss: Loss, reach: number): LossFacts {
  switch (loss.name) {
    case "linear":
      return { steepest: 1, curvature: 0, zeroLoses: reach };
    case "squared":
      return { steepest: reach + 1, curvature: 1, zeroLoses: 0.5 - half(1 - reach) };
    case "huber": {
      const { corner } = loss;
      const at = (gap: number): number => (gap <= corner ? half(gap) : corner * gap - half(corner));
      return {
        steepest: Math.min(corner, reach + 1),
        curvature: 1,
        zeroLoses: at(1) - at(Math.max(0, 1 - reach)),
      };
    }
    case "logistic":
      // ln 2 − ln(1 + e^−reach), and the slope at margin −reach.
      return {
        steepest: 1 / (1 + Math.exp(-reach)),
        curvature: 0.25,
        zeroLoses: Math.LN2 - Math.log1p(Math.exp(-reach)),
      };
    case "hinge":
      return { steepest: 1, curvature: null, zeroLoses: Math.min(1, reach) };
    case "smooth-hinge": {
      const { width } = loss;
      const at = (short: number): number =>
        short <= 0 ? 0 : short <= width ? half(short) / width : short - width / 2;
      return { steepest: 1, curvature: 1 / width, zeroLoses: at(1) - at(1 - reach) };
    }
  }
}

/** x²/2 for x ≥ 0, else 0. */
function half(x: number): number {
  return x > 0 ? (x * x) / 2 : 0;
}
