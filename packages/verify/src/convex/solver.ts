import type { Solver } from "./convex.ts";
import { covers, near } from "./rounding.ts";

/**
 * What is amiss where a solver may stop further from the minimum than it states. Steps of 2/(μ + M) contract to it by (M − μ)/(M + μ) each, and
 * every step may be off by what doubles do to it.
 */
export function solverFindings(
  { distance, stepSize, steps, accuracy }: Solver,
  due: {
    readonly convexity: number;
    readonly smoothness: number;
    /** The start lies within this of the minimum. */
    readonly start: number;
    readonly error: number;
  },
): readonly string[] {
  const { convexity, smoothness, start, error } = due;
  const gain = (2 * convexity) / (smoothness + convexity);
  const left = start * Math.exp(steps * Math.log1p(-gain)) + error / gain;
  return convexity > 0 &&
    near(stepSize, 2 / (smoothness + convexity)) &&
    covers(distance, start) &&
    covers(accuracy, left)
    ? []
    : ["the solver may stop further from the minimum than is priced"];
}
