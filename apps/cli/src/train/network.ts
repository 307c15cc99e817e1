import { trainingDraws } from "@lethe/core/mechanisms";
import {
  expectedSeconds,
  type NetworkModel,
  type NetworkPlan,
  planNetwork,
  readNetworkTask,
  trainSealedNetwork,
} from "@lethe/learn/networks";
import { gaussianBudget } from "./gaussian-budget.ts";
import type { RowModel } from "./row-model.ts";

/** What is public of a network's training. */
export interface ExplainedNetwork {
  readonly kind: "network";
  readonly weights: number;
  readonly sampler: string;
  /** The public expected number of units in a step, by which noisy sums are divided. */
  readonly batch: number;
  readonly steps: number;
  /** The largest norm of a unit's gradient in the first step. */
  readonly clip: number;
  /** Of the noise in each coordinate of the mean gradient in the first step: the same in all unless noise is correlated or the clip adaptive. */
  readonly deviation: number;
  /** On a common processor: a function of the plan alone. */
  readonly seconds: number;
}

/** Networks by clipped, noisy gradients. */
export const network: RowModel<NetworkModel, ExplainedNetwork> = {
  async read(text, policy) {
    const task = await readNetworkTask(text, policy);
    return {
      task,
      noun: "network",
      plan({ budget, adjacency }) {
        const { kind: _, version: __, source, where, ...described } = task;
        const plan = planNetwork({ ...described, adjacency, budget: gaussianBudget(budget, "a network") });
        return {
          plan: { ...plan, source, where },
          ran: plan.training.event,
          explained: explainedNetwork(plan),
          run: (rows, { entropy, checkpoints, charge }) =>
            trainSealedNetwork(plan, rows, trainingDraws(entropy), { charge, checkpoints }),
        };
      },
    };
  },
};

/** Returns what is public of a training: a function of its plan alone. */
export function explainedNetwork(plan: NetworkPlan): ExplainedNetwork {
  const { model, sampler, divisor, steps, clip, noise, correlation } = plan.training;
  // Measurements of correlated noise but a tree's are in finer units.
  const finer = correlation === null || correlation.kind === "tree" ? 1 : 2 ** 12;
  const [num, den = "1"] = divisor.split("/");
  const batch = Number(num) / Number(den);
  const norm =
    clip.kind === "adaptive" ? clip.start : clip.kind === "flat" ? clip.norm : Math.hypot(...clip.norms);
  return {
    kind: "network",
    weights: model.parameters,
    sampler: sampler.kind,
    batch,
    steps,
    clip: norm,
    deviation: (sigmaOf(noise.sigma) * norm * 2 ** -20) / (batch * finer),
    seconds: expectedSeconds(plan),
  };
}

function sigmaOf(text: string): number {
  const [num, den = "1"] = text.split("/");
  return Number(num) / Number(den);
}
