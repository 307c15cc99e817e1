/** A solver of a strongly convex objective by a fixed number of gradient steps. */
export interface SolverSetting {
  /** The objective is this strongly convex, and its gradient this Lipschitz. */
  readonly convexity: number;
  readonly smoothness: number;
  /** The start is within this distance of the minimum. */
  readonly distance: number;
  /** The distance to the minimum that is wanted. */
  readonly within: number;
  /** How far a computed step lies from the exact one. */
  readonly slack: number;
}

/** Steps of η = 2/(μ + M) contract to the minimum by (M − μ)/(M + μ). */
export interface SolverSteps {
  /** The start is within this distance of the minimum. */
  readonly distance: number;
  readonly stepSize: number;
  readonly steps: number;
  /** The distance to the minimum after all steps, on every data set: qᴷ·distance + slack/(1 − q). */
  readonly accuracy: number;
}

/**
 * Returns the number of gradient steps that come within a distance of the minimum, whatever the data: it is proven, and never measured.
 * Source: Nesterov 2018, Thm 2.1.15.
 * Direction: upper.
 * @example solverSteps({ convexity: 1, smoothness: 3, distance: 1, within: 0.01, slack: 0 }) // => { distance: 1, stepSize: 0.5, steps: 7, accuracy: 0.0078125 }
 */
export function solverSteps({ convexity, smoothness, distance, within, slack }: SolverSetting): SolverSteps {
  const sum = smoothness + convexity;
  const factor = (smoothness - convexity) / sum;
  const left = (2 * convexity) / sum;
  const steps = factor > 0 ? Math.max(1, Math.ceil(Math.log(within / distance) / Math.log1p(-left))) : 1;
  const accuracy = distance * Math.exp(steps * Math.log1p(-left) * (1 - 2 ** -40)) + slack / left;
  return { distance, stepSize: 2 / sum, steps, accuracy: (accuracy || slack) * (1 + 2 ** -30) };
}
