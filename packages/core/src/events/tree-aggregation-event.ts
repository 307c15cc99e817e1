import { invalidParameter } from "../errors/lethe-error.ts";
import { decimalText } from "./decimal-text.ts";
import type { Event } from "./event.ts";
import { eventFromJson } from "./event-json.ts";

export interface TreeAggregation {
  /** σ of a node over the norm of what one unit adds to one step. */
  readonly noiseMultiplier: number | string;
  /** Steps of each tree; a unit takes part in at most one step over all of them. One number is one tree. */
  readonly steps: number | readonly number[];
  /** How often the whole is run again over the same units; 1 unless stated. */
  readonly epochs?: number | bigint;
}

/** The nodes above one leaf of a binary tree over so many steps that can be complete, the leaf included: ⌊log₂ n⌋ + 1. */
export function treeHeight(steps: number): number {
  if (!(Number.isSafeInteger(steps) && steps >= 1)) throw invalidParameter("steps", steps, "an integer ≥ 1");
  return steps.toString(2).length;
}

/**
 * Prefix sums by a binary tree with Gaussian noise on every node (Honaker 2015; Kairouz et al. 2021, arXiv 2103.00039,
 * App. D): a unit's one step moves at most `treeHeight(steps)` nodes, so an epoch is so many Gaussians of sensitivity 1, that
 * is one of ℓ2² = the height of the highest tree. Neighbours differ in what one fixed step reads of one unit; the tree's shape
 * is public.
 * Errors: parameter.invalid for a noise multiplier that is not positive, an empty list, a step count that is not an integer ≥ 1.
 * @example treeAggregationEvent({ noiseMultiplier: 5, steps: 1024 }) // 11 Gaussians of σ 5
 */
export function treeAggregationEvent(run: TreeAggregation): Event {
  const heights = (typeof run.steps === "number" ? [run.steps] : run.steps).map(treeHeight);
  if (heights.length === 0) throw invalidParameter("steps", "an empty list", "one tree or more");
  const { noiseMultiplier } = run;
  const nodes = {
    kind: "repeat",
    version: 1,
    count: `${Math.max(...heights)}`,
    event: {
      kind: "gaussian",
      version: 1,
      sigma:
        typeof noiseMultiplier === "number"
          ? decimalText(noiseMultiplier, "noiseMultiplier")
          : noiseMultiplier,
      sensitivity: "1",
    },
  };
  return eventFromJson({ kind: "repeat", version: 1, count: `${run.epochs ?? 1}`, event: nodes });
}
