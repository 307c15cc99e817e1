import type { BitSource } from "@lethe/core";
import { sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { meanGradient } from "../rows/mean-gradient.ts";
import { sealedOnGrid } from "../rows/on-grid.ts";
import { secretOrder } from "../rows/secret-order.ts";
import { type OwnedRows, unitRows } from "../rows/unit-rows.ts";
import { type OutputPerturbationPlan, planOutputPerturbation } from "./plan-output-perturbation.ts";

/**
 * Runs a paid plan on rows of the owner and returns weights, which may be released. The number of steps is the plan's, whatever the data.
 * Source: Chaudhuri, Monteleoni & Sarwate 2011; proof: ./output-perturbation.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runOutputPerturbation(planOutputPerturbation(request), { features, labels }, secureEntropy()) // => Float64Array [0.3], say
 */
export function runOutputPerturbation(
  untrusted: OutputPerturbationPlan,
  owned: OwnedRows,
  bits: BitSource,
): Float64Array {
  const { request, ridge, solver, grid, noise } = plannedAgain(untrusted, planOutputPerturbation);
  const { problem, units } = request;
  const { radius } = constantsOf(problem);
  const rows = unitRows(problem, owned);
  const order = secretOrder(units, rows.starts.length - 1, bits);
  const gradient = meanGradient(problem, rows, { order, units });
  const weights = new Float64Array(problem.dimension);
  const slope = new Float64Array(problem.dimension);
  for (let step = 0; step < solver.steps; step += 1) {
    gradient(weights, slope);
    for (let j = 0; j < weights.length; j += 1) {
      const w = doubleAt(weights, j);
      weights[j] = w - solver.stepSize * (doubleAt(slope, j) + ridge * w);
    }
    intoBall(weights, radius);
  }
  const released = sealedVectorRelease(noise, bits)(sealedOnGrid(weights, grid)).map((x) => x * grid);
  intoBall(released, radius);
  return released;
}
