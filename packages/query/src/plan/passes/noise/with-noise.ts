import type { Noise } from "@lethe/core/mechanisms";
import type { Measurement, TreeMeasurement } from "../../plan.ts";
import type { DerivedTree } from "../derive-tree.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";

/** Returns a measurement as a plan states it. */
export function withNoise({ name, terms, l1, l2Squared }: DerivedMeasurement, noise: Noise): Measurement {
  return { name, terms, l1: `${l1}`, l2Squared: `${l2Squared}`, noise };
}

/** Returns a tree as a plan states it. */
export function treeWithNoise(
  { magnitude: _, importance: __, l1, l2Squared, ...tree }: DerivedTree,
  noise: Noise,
): TreeMeasurement {
  return { ...tree, l1: `${l1}`, l2Squared: `${l2Squared}`, noise };
}
