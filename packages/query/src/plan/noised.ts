import type { Measurement, Plan, TreeMeasurement } from "./plan.ts";

/** All that noise is added to, in the order in which the event lists it. */
export function noised({
  measurements,
  trees = [],
}: Pick<Plan, "measurements" | "trees">): readonly (Measurement | TreeMeasurement)[] {
  return [...measurements, ...trees];
}
