import type { Adjacency, Event } from "@lethe/core";
import { noiseEvent, type Sensitivity } from "@lethe/core/mechanisms";
import { gridBits } from "../../clipping/clipped-gradients.ts";
import type { BoostingPlan } from "./boosting-plan.ts";

const squaredClip = 1n << BigInt(2 * gridBits);

/**
 * The sensitivity of the counts of all columns' cells together, and of one step's residual sums, in squared steps of the grid. Counts are never
 * negative, so that replacing a unit moves them by at most √2 of what adding one does; residuals may have opposite signs in one bin: 2.
 * Proof: ../boosting.proof.md.
 */
export function boostingSensitivities(
  adjacency: Adjacency,
  columns: number,
): { readonly counts: Sensitivity; readonly step: Sensitivity } {
  const replaced = { "add-or-remove-one": false, "replace-one": true }[adjacency];
  return {
    counts: ofIntegers(BigInt(columns) * (replaced ? 2n : 1n) * squaredClip),
    step: ofIntegers((replaced ? 4n : 1n) * squaredClip),
  };
}

/** Integers are at most their squares, so Δ₁ ≤ Δ₂². */
function ofIntegers(l2Squared: bigint): Sensitivity {
  return { l1: l2Squared, l2Squared };
}

/** The record of a whole training: the counts once, and a step for each column in every round. */
export function boostingEvent({
  adjacency,
  features,
  rounds,
  countNoise,
  stepNoise,
}: Omit<BoostingPlan, "event">): Event {
  const { counts, step } = boostingSensitivities(adjacency, features.length);
  return {
    kind: "compose",
    version: 1,
    events: [
      noiseEvent(countNoise, counts),
      {
        kind: "repeat",
        version: 1,
        count: String(rounds * features.length),
        event: noiseEvent(stepNoise, step),
      },
    ],
  };
}
