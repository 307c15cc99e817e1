import type { BitSource } from "@lethe/core";
import { computeSealed, type Exact, sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { onGrid } from "../rows/on-grid.ts";
import { type Pass, secretPass } from "../rows/pass-gradients.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import type { GridPhase } from "./phases.ts";
import { type LocalizationPlan, planLocalization } from "./plan-localization.ts";

/**
 * Runs a paid plan on rows, which stay sealed, and returns weights, which may be released. Units take their places in a secret random order; places that no unit
 * takes have gradient 0.
 * Source: Feldman, Koren & Talwar 2020; proof: ./localization.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runLocalization(planLocalization(request), { features, labels }, secureEntropy()) // => Float64Array [0.31, -0.07], say
 */
export function runLocalization(untrusted: LocalizationPlan, rows: RunRows, bits: BitSource): Float64Array {
  const plan = plannedAgain(untrusted, planLocalization);
  const { problem, units } = plan.request;
  const pass = secretPass(problem, { rows: sealedUnitRows(problem, rows), places: units }, bits);
  return localized(plan, pass, bits);
}

/** What the last phase of a pass releases. */
export function localized(
  { request, phases, noise }: LocalizationPlan,
  pass: Exact<Pass>,
  bits: BitSource,
): Float64Array {
  const { problem } = request;
  const { radius } = constantsOf(problem);
  const release = sealedVectorRelease(noise, bits);
  let weights = new Float64Array(problem.dimension);
  for (const phase of phases) {
    const start = weights;
    const average = computeSealed(pass, (units) =>
      onGrid(phaseAverage(start, phase, units, radius), phase.grid),
    );
    const noisy = release(average);
    weights = noisy.map((x) => x * phase.grid);
    intoBall(weights, radius);
  }
  return weights;
}

/** The average of the points at which gradients are taken, one a unit of the phase: within a seal. */
export function phaseAverage(
  start: Float64Array,
  { units, stepSize }: GridPhase,
  pass: Pass,
  radius: number,
): Float64Array {
  const weights = start.slice();
  const total = new Float64Array(start.length);
  for (let i = 0; i < units; i += 1) {
    for (let j = 0; j < total.length; j += 1) total[j] = doubleAt(total, j) + doubleAt(weights, j);
    pass.descend(weights, stepSize, 1);
    intoBall(weights, radius);
  }
  return total.map((x) => x / units);
}
