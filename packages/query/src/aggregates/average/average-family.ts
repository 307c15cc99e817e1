import { centre } from "../bounds/centre.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { measureCount } from "../count/measure-count.ts";
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
    },
  },
  bounds: { none: null, noneForGroups: null, groupsBoundRows: true, learned: true },
  describe: (_, argument) => `AVG(${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: () => null,
  write: ({ argument, bounds }) => `AVG(${writeArguments(argument, bounds)})`,
  measure({ argument, bounds, present = argument }, measurer) {
    const grid = rowGrid("AVG", argument, bounds);
    const { mid, half } = centre(grid);
    const [ofSum, ofCount] = measurer.parts(1, 1 / 4);
    const sum = measureCentred(measurer, argument, grid, ofSum, bounds);
    const count = measureCount(measurer, present, ofCount);
    return { kind: "avg", sum, count, mid: `${mid}`, half: `${half}`, exponent: grid.exponent };
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
  widths: averageWidths,
  largestTerm: () => null,
  estimator: averageEstimator,
  biasNote: (_, name) =>
    `AVG(${name}) is off by the average, over all its rows, of what lies beyond the bounds`,
};
