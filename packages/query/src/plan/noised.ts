import type { Measurement, Plan, PlannedTotals, TreeMeasurement } from "./plan.ts";

/** All that noise is added to, in the order in which the event lists it. */
export function noised({
  measurements,
  trees = [],
  totals = [],
}: Pick<Plan, "measurements" | "trees"> & {
  readonly totals?: readonly Pick<PlannedTotals, "measurements">[];
}): readonly (Measurement | TreeMeasurement)[] {
  return [...measurements, ...trees, ...totals.flatMap((total) => total.measurements)];
}
