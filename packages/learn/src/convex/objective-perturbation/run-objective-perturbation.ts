import type { BitSource } from "@lethe/core";
import { computeSealed, noiseSampler, sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { plannedAgain } from "../report/planned-again.ts";
import { meanGradient } from "../rows/mean-gradient.ts";
import { onGrid } from "../rows/on-grid.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { secretOrder } from "../rows/secret-order.ts";
import { firstRows, type UnitRows } from "../rows/unit-rows.ts";
import {
  noiseBits,
  type ObjectivePerturbationPlan,
  planObjectivePerturbation,
} from "./plan-objective-perturbation.ts";

/**
 * Runs a paid plan on rows, which stay sealed, and returns weights, which may be released. Of a unit the first row counts. The number of steps is the plan's, whatever data and noise.
 * Source: Iyengar et al. 2019; proof: ./objective-perturbation.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runObjectivePerturbation(planObjectivePerturbation(request), { features, labels }, secureEntropy()) // => Float64Array [0.3], say
 */
export function runObjectivePerturbation(
  untrusted: ObjectivePerturbationPlan,
  rows: RunRows,
  bits: BitSource,
): Float64Array {
  const plan = plannedAgain(untrusted, planObjectivePerturbation);
  const { request, grid, noise } = plan;
  const solved = computeSealed(sealedUnitRows(request.problem, rows), (units) =>
    onGrid(perturbedMinimum(plan, firstRows(units), bits), grid),
  );
  return sealedVectorRelease(noise, bits)(solved).map((x) => x * grid);
}

/** Where the solver of the objective with its random linear term stops: within a seal, and the term with it. */
function perturbedMinimum(
  { request, objective, solver }: ObjectivePerturbationPlan,
  rows: UnitRows,
  bits: BitSource,
): Float64Array {
  const { problem, units } = request;
  const order = secretOrder(units, rows.starts.length - 1, bits);
  const gradient = meanGradient(problem, rows, { order, units: 1, reach: Number.POSITIVE_INFINITY });
  const linear = new Float64Array(problem.dimension);
  noiseSampler({ mechanism: "rounded-gaussian@1", sigma: String(2 ** noiseBits) }).fill(linear, bits);
  const unit = objective.sigma * 2 ** -noiseBits;
  const weights = new Float64Array(problem.dimension);
  const slope = new Float64Array(problem.dimension);
  for (let step = 0; step < solver.steps; step += 1) {
    gradient(weights, slope);
    for (let j = 0; j < weights.length; j += 1) {
      const w = doubleAt(weights, j);
      const whole = doubleAt(slope, j) + objective.convexity * w + unit * doubleAt(linear, j);
      weights[j] = w - solver.stepSize * whole;
    }
  }
  return weights;
}
