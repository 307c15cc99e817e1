import type { BitSource } from "@lethe/core";
import { computeSealed, sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { meanGradient } from "../rows/mean-gradient.ts";
import { onGrid } from "../rows/on-grid.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { secretOrder } from "../rows/secret-order.ts";
import type { UnitRows } from "../rows/unit-rows.ts";
import { type OutputPerturbationPlan, planOutputPerturbation } from "./plan-output-perturbation.ts";

/**
 * Runs a paid plan on rows, which stay sealed, and returns weights, which may be released. The number of steps is the plan's, whatever the data.
 * Source: Chaudhuri, Monteleoni & Sarwate 2011; proof: ./output-perturbation.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runOutputPerturbation(planOutputPerturbation(request), { features, labels }, secureEntropy()) // => Float64Array [0.3], say
 */
export function runOutputPerturbation(
  untrusted: OutputPerturbationPlan,
  rows: RunRows,
  bits: BitSource,
): Float64Array {
  const plan = plannedAgain(untrusted, planOutputPerturbation);
  const { request, grid, noise } = plan;
  const { problem } = request;
  const { radius } = constantsOf(problem);
  const solved = computeSealed(sealedUnitRows(problem, rows), (units) =>
    onGrid(solution(plan, units, bits), grid),
  );
  const released = sealedVectorRelease(noise, bits)(solved).map((x) => x * grid);
  intoBall(released, radius);
  return released;
}

/** Where the solver stops: within a seal. */
function solution(
  { request, ridge, solver }: OutputPerturbationPlan,
  rows: UnitRows,
  bits: BitSource,
): Float64Array {
  const { problem, units } = request;
  const { radius } = constantsOf(problem);
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
  return weights;
}
