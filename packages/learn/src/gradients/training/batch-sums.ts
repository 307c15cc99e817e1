import type { Exact, TrainingDraws } from "@lethe/core/mechanisms";
import type { ClippedGradients, ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { openBatches } from "../sampling/batches.ts";
import { refuse } from "../sampling/refusal.ts";
import { isLayered } from "./layered-gradients.ts";

/** What a training asks of the units: the sums over the batch of each step, drawn in secret. */
export interface BatchSums {
  /** The sums over the batch of a step, counted from 0, which may be empty. */
  sum(step: number, weights: Float64Array, clip: number): Exact<ClippedSums>;
  /** Every unit's bin, where later steps need it; as secret as the batches. */
  bins(): Uint32Array | null;
}

/** Opens the sums of a training from its first step, or from a later one with the bins that were drawn before it. */
export type OpenBatchSums = (held: { readonly step: number; readonly bins: Uint32Array | null }) => BatchSums;

/** Sums over units that the caller holds. Errors: parameter.invalid for gradients that are not the plan's. */
export function batchSums(
  plan: PrivatePlan,
  gradients: ClippedGradients,
  draws: TrainingDraws,
): OpenBatchSums {
  checkGradients(plan, gradients);
  const sum = sumOf(plan, gradients);
  return (held) => {
    const batches = openBatches(plan.sampler, gradients.units, draws, held);
    return {
      sum: (step, weights, clip) => sum(weights, batches.next(step), clip),
      bins: () => batches.bins(),
    };
  };
}

function sumOf({ clip: rule, model }: PrivatePlan, gradients: ClippedGradients): ClippedGradients["sum"] {
  if (rule.kind !== "per-layer") return (weights, batch, clip) => gradients.sum(weights, batch, clip);
  const layers = model.layers ?? [];
  if (!isLayered(gradients) || gradients.layers.join() !== layers.join()) {
    return refuse({
      name: "gradients",
      value: "others",
      condition: "gradients that clip the plan's layers one by one",
      fix: "give gradients with sumByLayer over model.layers, or plan with one number as the clip",
    });
  }
  return (weights, batch) => gradients.sumByLayer(weights, batch, rule.norms);
}

/**
 * Refuses gradients of another shape. How many units there are is private under add-or-remove, and then nothing hangs on it; but a declared number of
 * units that the price needs must be true.
 */
function checkGradients(
  { model, adjacency, sampler, units }: PrivatePlan,
  gradients: ClippedGradients,
): void {
  if (gradients.parameters !== model.parameters) {
    refuse({
      name: "gradients.parameters",
      value: gradients.parameters,
      condition: `the model's ${model.parameters}`,
      fix: "plan for the model whose gradients these are",
    });
  }
  const isFalse =
    adjacency === "replace-one"
      ? gradients.units !== units
      : sampler.kind === "truncated-poisson" && gradients.units > units;
  if (isFalse) {
    refuse({
      name: "units",
      value: "another number than that of the data",
      condition:
        adjacency === "replace-one"
          ? "the number of units"
          : "at least the number of units: cut batches are priced by it",
      fix: "declare the true number, or a bound that holds, and plan again",
    });
  }
}
