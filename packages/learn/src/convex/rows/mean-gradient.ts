import { doubleAt } from "@lethe/core/numeric";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { addUnitGradient } from "./unit-gradient.ts";
import type { UnitRows } from "./unit-rows.ts";

/**
 * Returns (w, into) ↦ the gradient at w of the sum over the units of an order divided by `units`; numbers beyond the units stand for nobody.
 * Predictions lie within the reach of the ball of weights unless stated. For solvers within a seal: it is not released.
 */
export function meanGradient(
  problem: ConvexProblem,
  rows: UnitRows,
  over: { readonly order: Uint32Array; readonly units: number; readonly reach?: number },
): (weights: Float64Array, into: Float64Array) => void {
  const constants = constantsOf(problem);
  const { loss, labels } = constants;
  const { order, units, reach = constants.reach } = over;
  const model = { rows, loss, steepest: loss.steepest(reach, labels) };
  return (weights, into) => {
    into.fill(0);
    for (const unit of order) if (unit < rows.starts.length - 1) addUnitGradient(model, unit, weights, into);
    for (let j = 0; j < into.length; j += 1) into[j] = doubleAt(into, j) / units;
  };
}
