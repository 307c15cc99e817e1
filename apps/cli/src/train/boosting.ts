import { noiseVariance } from "@lethe/core/accuracy";
import { drawing } from "@lethe/core/mechanisms";
import {
  type BoostedModel,
  type BoostingPlan,
  planBoosting,
  readBoostingTask,
  trainSealedBoosting,
} from "@lethe/learn/boosting";
import { gaussianBudget } from "./gaussian-budget.ts";
import type { RowModel } from "./row-model.ts";

/** The noise of what a boosting opens. */
export interface ExplainedBoosting {
  readonly kind: "boosting";
  /** The first release: how many rows are in each cell of each feature. */
  readonly counts: { readonly features: number /** Of one count, in rows. */; readonly deviation: number };
  readonly rounds: number;
  /** Every step opens the sums of residuals in one feature's bins. */
  readonly steps: {
    readonly count: number;
    /** Of one sum, in residuals: those of a unit have a norm of at most `clip`. */
    readonly deviation: number;
    readonly clip: number;
  };
}

/** Additive boosting: every exact sum is computed sealed, and opened with its noise. */
export const boosting: RowModel<BoostedModel, ExplainedBoosting> = {
  async read(text, policy) {
    const task = await readBoostingTask(text, policy);
    return {
      task,
      noun: "boosting",
      plan({ budget, adjacency, rowsPerUnit }) {
        const { kind: _, version: __, source, where, ...described } = task;
        const plan = planBoosting({
          ...described,
          adjacency,
          budget: gaussianBudget(budget, "a boosting"),
          rows: rowsPerUnit,
        });
        const record = { ...plan, source, where };
        return {
          plan: record,
          explained: explainedBoosting(plan),
          run: async (rows, { entropy }) => trainSealedBoosting(plan, rows, drawing(entropy)),
        };
      },
    };
  },
};

function explainedBoosting(plan: BoostingPlan): ExplainedBoosting {
  const { countNoise, stepNoise, rounds, rows, clip, features } = plan;
  const deviation = (noise: typeof countNoise, norm: number): number =>
    Math.sqrt(noiseVariance(noise)) * norm * 2 ** -20;
  return {
    kind: "boosting",
    counts: { features: features.length, deviation: deviation(countNoise, rows) },
    rounds,
    steps: { count: rounds * features.length, deviation: deviation(stepNoise, clip), clip },
  };
}
