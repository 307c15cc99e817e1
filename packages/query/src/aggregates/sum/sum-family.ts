import { type Total, totalEstimator, totalWidths } from "../answers/total.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import type { AggregateFamily } from "../family.ts";
import { measureSum } from "./measure-sum.ts";
import type { PlannedSum, SumTypes } from "./sum-types.ts";

/** SUM: one measurement. */
export const sumFamily: AggregateFamily<SumTypes> = {
  calls: {
    sum: {
      reads: "number",
      withinUnit: "sum",
      of: (argument, bounds) => ({ kind: "sum", argument, bounds }),
    },
  },
  bounds: { none: null, noneForGroups: null, learned: true },
  describe: (_, argument) => `SUM(${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: true,
  notAddedUp: () => null,
  write: ({ argument, bounds }) => `SUM(${writeArguments(argument, bounds)})`,
  measure: ({ argument, bounds }, measurer) => measureSum(measurer, argument, bounds),
  measurements: ({ sum }) => [sum],
  slopes: ({ sum }) => [[sum, 1]],
  total,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: true,
  widths: (planned, setting) => totalWidths(total(planned), setting),
  largestTerm: ({ sum }, setting) => Math.max(...setting.valuesOf(sum).map(Math.abs)),
  estimator: (planned, setting) => totalEstimator(total(planned), setting),
  biasNote: (_, name) => `SUM(${name}) is off by the sum of what lies beyond the bounds`,
};

function total({ sum, exponent }: PlannedSum): Total {
  return { measurement: sum, step: 2 ** exponent };
}
