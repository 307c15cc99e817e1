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
 * Runs a paid pass on rows of the owner and returns its last iterate, which may be released. No other iterate leaves, and all stay doubles: cutting them to
 * a grid would expand distances. Units take their places in a secret random order; places that no unit takes have gradient 0.
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
  for (const batch of batchSizes(units, schedule.steps, schedule.spread)) {
    pass.descend(weights, schedule.stepSize, batch);
    sampler.fill(noise, bits);
    for (let j = 0; j < weights.length; j += 1)
      weights[j] = doubleAt(weights, j) + factor * doubleAt(noise, j);
    intoBall(weights, radius);
  }
  return weights;
}
