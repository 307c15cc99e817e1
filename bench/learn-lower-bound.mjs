// learn.lower-bound: what 10^6 runs of a toy model certify from below, at 99.9 %, of the ε of its plan, seen in full (white box). One weight and one unit a run, Poisson samples,
//   ε 1 at δ 1e-5. The bound is the ε of the most noise whose claim the runs refute. The ratio is to the claimed ε.
// learn.lower-bound.[steps]: the same, for 1 step on all units and for 8 on a quarter of them each.

import { claimOf, familyBound } from "@lethe/audit";
import { account, secureEntropy } from "@lethe/core";
import { seal, trainingDraws } from "@lethe/core/mechanisms";
import { privatePlan, train } from "@lethe/learn/gradients";
import { figure } from "./figure.mjs";

const runs = 1_000_000;
const canaries = 50_000;
const delta = 1e-5;
const epsilons = Array.from({ length: 33 }, (_, i) => i / 16);

/** Each canary's gradient is the whole clip along a weight of its own. */
const gradients = (isIn) => ({
  parameters: canaries,
  units: canaries,
  sum(_weights, batch) {
    const sums = new Float64Array(canaries);
    if (isIn) for (const place of batch) sums[place] = 2 ** 20;
    return seal({ sums, unclipped: batch.length });
  },
});

/** Log-likelihood ratios of all runs, `canaries` of them a training. */
async function scoresOf(plan, isIn, { rate, mu }) {
  const scores = new Float64Array(runs);
  const divisor = canaries * rate;
  for (let first = 0; first < runs; first += canaries) {
    let before = new Float64Array(canaries);
    const options = { charge: "bench", start: before, optimizer: { kind: "sgd", rate: 1 }, keep: () => true };
    for await (const { weights } of train(plan, gradients(isIn), trainingDraws(secureEntropy()), options)) {
      for (let i = 0; i < canaries; i++) {
        const x = (before[i] - weights[i]) * divisor * mu;
        scores[first + i] += Math.log(1 - rate + rate * Math.exp(mu * x - (mu * mu) / 2));
      }
      before = weights;
    }
  }
  return scores;
}

export default async function bench() {
  let least = Number.POSITIVE_INFINITY;
  for (const [steps, rate] of [
    [1, 1],
    [8, 1 / 4],
  ]) {
    const request = {
      model: { name: "canaries", parameters: canaries },
      loss: "linear",
      adjacency: "add-or-remove-one",
      units: canaries,
      sampler: "poisson",
      rate,
      clip: 1,
      delta,
      steps,
    };
    const plan = privatePlan({ ...request, epsilon: 1 });
    const [num, den = "1"] = plan.noiseMultiplier.split("/");
    const noise = Number(num) / Number(den);
    const view = { rate, mu: 1 / noise };
    const eventAt = (multiplier) => privatePlan({ ...request, noise: multiplier }).event;
    const { refuted } = familyBound({
      present: await scoresOf(plan, true, view),
      absent: await scoresOf(plan, false, view),
      claimAt: (multiplier) => claimOf(eventAt(multiplier), "add-or-remove-one", epsilons),
      range: [noise / 2, 2 * noise],
      falseAlarm: 1e-3,
    });
    const bound = refuted === null ? 0 : account(eventAt(refuted)).epsilon(delta).upper;
    if (refuted !== null && refuted < noise)
      throw new Error(`the plan's own claim is refuted, at ${steps} steps`);
    least = Math.min(least, bound);
    figure(`learn.lower-bound.${steps}`, bound, "ε", 1);
  }
  figure("learn.lower-bound", least, "ε", 1);
}
