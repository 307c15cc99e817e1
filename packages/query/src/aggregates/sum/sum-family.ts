import { type Total, totalEstimator, totalWidths } from "../answers/total.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { distinctWord, valuesAtBounds } from "../distinct/distinct-words.ts";
import { measureSumOfValues } from "../distinct/measure-powers.ts";
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
      ofDistinct: (argument, bounds) => ({ kind: "sum", argument, bounds, distinct: true }),
    },
  },
  bounds: { none: null, noneForGroups: null, learned: true },
  describe: ({ distinct }, argument) => `SUM(${distinctWord(distinct)}${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: true,
  notAddedUp: ({ distinct }) => (distinct ? "sums of distinct values" : null),
  write: ({ argument, bounds, distinct }) =>
    `SUM(${distinctWord(distinct)}${writeArguments(argument, bounds)})`,
  measure({ argument, bounds, distinct }, measurer) {
    if (!distinct) return measureSum(measurer, argument, bounds);
    const grid = rowGrid("SUM", argument, bounds, { distinct });
    const sum = measureSumOfValues(measurer, { argument, grid, mid: 0n, bounds }, 1);
    return { kind: "sum", sum, exponent: grid.exponent, distinct };
  },
  measurements: ({ sum }) => [sum],
  slopes: ({ sum }) => [[sum, 1]],
  total,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: true,
  widths: (planned, setting) => totalWidths(total(planned), setting),
  largestTerm: ({ sum }, setting) => Math.max(...setting.valuesOf(sum).map(Math.abs)),
  estimator: (planned, setting) => totalEstimator(total(planned), setting),
  biasNote: ({ distinct }, name) =>
    distinct
      ? valuesAtBounds(`SUM(DISTINCT ${name})`)
      : `SUM(${name}) is off by the sum of what lies beyond the bounds`,
};

function total({ sum, exponent }: PlannedSum): Total {
  return { measurement: sum, step: 2 ** exponent };
}
