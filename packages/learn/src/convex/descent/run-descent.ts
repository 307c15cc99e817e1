import type { BitSource } from "@lethe/core";
import { sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { gradientStep, gradientSums } from "../rows/gradient-sums.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { type DescentPlan, planDescent } from "./plan-descent.ts";

/**
 * Runs a paid plan on rows, which stay sealed, and returns weights, which may be released. Each step releases the sum of gradients with noise; everything else
 * is made of such releases. Rows beyond the declared bounds are clipped to them; fewer units than declared count as units without a gradient.
 * Source: C Thm 2; proof: ./noisy-descent.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runDescent(planDescent(request), { features, labels }, secureEntropy()) // => Float64Array [0.31, -0.07], say
 */
export function runDescent(untrusted: DescentPlan, rows: RunRows, bits: BitSource): Float64Array {
  const { request, steps, stepSize, noise } = plannedAgain(untrusted, planDescent);
  const { problem, units } = request;
  const { lipschitz, radius } = constantsOf(problem);
  const sums = gradientSums(problem, sealedUnitRows(problem, rows));
  const release = sealedVectorRelease(noise, bits);
  const factor = (stepSize * gradientStep(lipschitz)) / units;
  const weights = new Float64Array(problem.dimension);
  const total = new Float64Array(problem.dimension);
  for (let step = 0; step < steps; step += 1) {
    for (let j = 0; j < weights.length; j += 1) total[j] = doubleAt(total, j) + doubleAt(weights, j);
    const noisy = release(sums(weights));
    for (let j = 0; j < weights.length; j += 1)
      weights[j] = doubleAt(weights, j) - factor * doubleAt(noisy, j);
    intoBall(weights, radius);
  }
  return total.map((x) => x / steps);
}
