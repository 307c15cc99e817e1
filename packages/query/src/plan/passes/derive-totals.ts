import { sensitivityOf } from "../sensitivity.ts";
import { unitContribution } from "../unit-contribution.ts";
import type { DerivedMeasurement } from "./derived-measurement.ts";
import type { LimitedQuestion } from "./limit-contributions.ts";
import type { LimitedTotals } from "./limit-totals.ts";

/** The measurements of a coarser grouping, before noise is chosen for them. */
export interface DerivedTotals extends LimitedTotals {
  readonly measurements: readonly DerivedMeasurement[];
}

/**
 * Derives the measurements of coarser groupings. A unit may have up to k of its groups in one total, each up to its full value.
 * Two such vectors are at most as far apart as with one value k times as large (proof: ../sensitivity.proof.md).
 */
export function deriveTotals(
  { totals, adjacency, contribution }: LimitedQuestion,
  measurements: readonly DerivedMeasurement[],
): readonly DerivedTotals[] {
  const groups = BigInt(unitContribution(contribution).fullGroups);
  return totals.map((total) => ({
    ...total,
    measurements: measurements.map((measurement) => {
      const { low, high } = measurement.range;
      const range = { low: low < 0n ? groups * low : 0n, high: high > 0n ? groups * high : 0n };
      const sensitivity = sensitivityOf(adjacency, {
        ...range,
        groups: 1n,
        allGroups: total.declared === null ? null : BigInt(total.declared.length),
        alwaysPresent: false,
      });
      return {
        ...measurement,
        ...sensitivity,
        range,
      };
    }),
  }));
}
