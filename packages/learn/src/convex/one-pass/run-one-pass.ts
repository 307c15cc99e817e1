import type { BitSource } from "@lethe/core";
import { noiseSampler } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { intoBall } from "../rows/ball.ts";
import { type Pass, passOver } from "../rows/pass-gradients.ts";
import { secretOrder } from "../rows/secret-order.ts";
import { type OwnedRows, unitRows } from "../rows/unit-rows.ts";
import { batchSizes } from "./batch-sizes.ts";
import { noiseBits } from "./iteration-rho.ts";
import { type OnePassPlan, planOnePass } from "./plan-one-pass.ts";

/**
 * Runs a paid pass on rows of the owner and returns its last iterate, which may be released. No other iterate leaves. The last point is cut to the grid of
 * the noise before the last noise comes, so that what leaves are whole steps of a public grid, moved into the ball. Units take their places in a secret
 * random order; places that no unit takes have gradient 0.
 * Source: Feldman, Mironov, Talwar & Thakurta 2018; proof: ./one-pass.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runOnePass(planOnePass(request), { features, labels }, secureEntropy()) // => Float64Array [0.31, -0.07], say
 */
export function runOnePass(untrusted: OnePassPlan, owned: OwnedRows, bits: BitSource): Float64Array {
  const plan = plannedAgain(untrusted, planOnePass);
  const { problem, units } = plan.request;
  const rows = unitRows(problem, owned);
  return lastIterate(plan, passOver(problem, rows, secretOrder(units, rows.starts.length - 1, bits)), bits);
}

/** The last iterate of a pass. */
export function lastIterate({ request, schedule }: OnePassPlan, pass: Pass, bits: BitSource): Float64Array {
  const { problem, units } = request;
  const { radius } = constantsOf(problem);
  const sampler = noiseSampler({ mechanism: "rounded-gaussian@1", sigma: String(2 ** noiseBits) });
  const noise = new Float64Array(problem.dimension);
  const factor = schedule.stepSize * schedule.sigma * 2 ** -noiseBits;
  const weights = new Float64Array(problem.dimension);
  let step = 0;
  for (const batch of batchSizes(units, schedule.steps, schedule.spread)) {
    pass.descend(weights, schedule.stepSize, batch);
    sampler.fill(noise, bits);
    const last = ++step === schedule.steps;
    for (let j = 0; j < weights.length; j += 1) {
      const [point, drawn] = [doubleAt(weights, j), doubleAt(noise, j)];
      weights[j] = last ? onNoiseGrid(point, drawn, factor) : point + factor * drawn;
    }
    intoBall(weights, radius);
  }
  return weights;
}

/**
 * A point in whole steps of the noise, plus the noise: a function of an integer and a real Gaussian together. Were the point not cut first, its place
 * between two steps would leave without noise. Adding 0 makes −0 a 0.
 */
const onNoiseGrid = (point: number, noise: number, grid: number): number =>
  (Math.round(point / grid) + noise + 0) * grid;
