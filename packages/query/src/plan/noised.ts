import type { Measurement, Plan, PlannedTotals, TreeMeasurement } from "./plan.ts";

/** All that noise is added to. */
export function noised({
  measurements,
  trees = [],
  totals = [],
}: Pick<Plan, "measurements" | "trees"> & {
  readonly totals?: readonly Pick<PlannedTotals, "measurements">[];
}): readonly (Measurement | TreeMeasurement)[] {
  return [...measurements, ...trees, ...totals.flatMap((total) => total.measurements)];
}
