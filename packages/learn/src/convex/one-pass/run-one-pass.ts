import type { BitSource } from "@lethe/core";
import { computeSealed, type Exact, noiseSampler, sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { onGrid } from "../rows/on-grid.ts";
import { type Pass, secretPass } from "../rows/pass-gradients.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { batchSizes } from "./batch-sizes.ts";
import { noiseBits } from "./iteration-rho.ts";
import { type OnePassPlan, planOnePass } from "./plan-one-pass.ts";

/**
 * Runs a paid pass on rows, which stay sealed, and returns its last iterate, which may be released. No other iterate leaves its seal. The last point is
 * cut to the grid of the noise, and a release adds the last noise, so that what leaves are whole steps of a public grid, moved into the ball. Units take
 * their places in a secret random order; places that no unit takes have gradient 0.
 * Source: Feldman, Mironov, Talwar & Thakurta 2018; proof: ./one-pass.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runOnePass(planOnePass(request), { features, labels }, secureEntropy()) // => Float64Array [0.31, -0.07], say
 */
export function runOnePass(untrusted: OnePassPlan, rows: RunRows, bits: BitSource): Float64Array {
  const plan = plannedAgain(untrusted, planOnePass);
  const { problem, units } = plan.request;
  const pass = secretPass(problem, { rows: sealedUnitRows(problem, rows), places: units }, bits);
  return lastIterate(plan, pass, bits);
}

/** The noise of a step, in whole steps of its own grid. */
const stepNoise = { mechanism: "rounded-gaussian@1", sigma: String(2 ** noiseBits) } as const;

/** The last iterate of a pass. Adding 0 makes −0 a 0, which would tell the sign of the point before the noise. */
export function lastIterate(plan: OnePassPlan, pass: Exact<Pass>, bits: BitSource): Float64Array {
  const { radius } = constantsOf(plan.request.problem);
  const grid = noiseGrid(plan);
  const point = computeSealed(pass, (units) => onGrid(lastPoint(plan, units, bits), grid));
  const released = sealedVectorRelease(stepNoise, bits)(point).map((x) => (x + 0) * grid);
  intoBall(released, radius);
  return released;
}

/** How much one whole number of the noise is, in weights. */
function noiseGrid({ schedule }: OnePassPlan): number {
  return schedule.stepSize * schedule.sigma * 2 ** -noiseBits;
}

/** The point of the last step, before its noise: within a seal, as are the iterates that lead to it. */
function lastPoint(plan: OnePassPlan, pass: Pass, bits: BitSource): Float64Array {
  const { request, schedule } = plan;
  const { problem, units } = request;
  const { radius } = constantsOf(problem);
  const grid = noiseGrid(plan);
  const sampler = noiseSampler(stepNoise);
  const noise = new Float64Array(problem.dimension);
  const weights = new Float64Array(problem.dimension);
  let step = 0;
  for (const batch of batchSizes(units, schedule.steps, schedule.spread)) {
    pass.descend(weights, schedule.stepSize, batch);
    step += 1;
    if (step === schedule.steps) break;
    sampler.fill(noise, bits);
    for (let j = 0; j < weights.length; j += 1) weights[j] = doubleAt(weights, j) + grid * doubleAt(noise, j);
    intoBall(weights, radius);
  }
  return weights;
}
