import { centre } from "../bounds/centre.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { measureCount } from "../count/measure-count.ts";
import { distinctWord, valuesAtBounds, withoutCurve } from "../distinct/distinct-words.ts";
import { measureSumOfValues, measureValues } from "../distinct/measure-powers.ts";
import type { AggregateFamily } from "../family.ts";
import { averageEstimator, averageWidths } from "./average-answer.ts";
import type { AverageTypes } from "./average-types.ts";
import { measureCentred } from "./measure-centred.ts";

/** AVG: a sum of distances from the middle, and a count. */
export const averageFamily: AggregateFamily<AverageTypes> = {
  calls: {
    avg: {
      reads: "number",
      withinUnit: "avg",
      of: (argument, bounds) => ({ kind: "avg", argument, bounds }),
      ofDistinct: (argument, bounds) => ({ kind: "avg", argument, bounds, distinct: true }),
    },
  },
  bounds: { none: null, noneForGroups: null, groupsBoundRows: true, learned: true },
  describe: ({ distinct }, argument) => `AVG(${distinctWord(distinct)}${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: ({ distinct }) => (distinct ? "averages of distinct values" : null),
  write: ({ argument, bounds, distinct }) =>
    `AVG(${distinctWord(distinct)}${writeArguments(argument, bounds)})`,
  measure({ argument, bounds, present = argument, distinct }, measurer) {
    const grid = rowGrid("AVG", argument, bounds, { distinct });
    const { mid, half } = centre(grid);
    const [ofSum, ofCount] = measurer.parts(1, 1 / 4);
    const values = { argument, grid, mid, bounds };
    const sum = distinct
      ? measureSumOfValues(measurer, values, ofSum)
      : measureCentred(measurer, argument, grid, ofSum, bounds);
    const count = distinct
      ? measureValues(measurer, values, ofCount)
      : measureCount(measurer, present, ofCount);
    const read = { sum, count, mid: `${mid}`, half: `${half}`, exponent: grid.exponent };
    return { kind: "avg", ...read, ...(distinct ? { distinct } : {}) };
  },
  measurements: ({ sum, count }) => [sum, count],
  slopes: ({ sum, count, half }, share) => [
    [sum, 1],
    [count, -Number(half) * share],
  ],
  total: () => null,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: true,
  // How many values are distinct nobody says beforehand.
  widths: (planned, setting) => withoutCurve(averageWidths(planned, setting), planned.distinct),
  largestTerm: () => null,
  estimator: averageEstimator,
  biasNote: ({ distinct }, name) =>
    distinct
      ? valuesAtBounds(`AVG(DISTINCT ${name})`)
      : `AVG(${name}) is off by the average, over all its rows, of what lies beyond the bounds`,
};
