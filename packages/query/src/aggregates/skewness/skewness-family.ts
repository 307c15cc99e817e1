import { measureCentred } from "../average/measure-centred.ts";
import { centre } from "../bounds/centre.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { measureCount } from "../count/measure-count.ts";
import type { AggregateFamily } from "../family.ts";
import { measureSquares } from "../spread/measure-squares.ts";
import { measureCubes } from "./measure-cubes.ts";
import { skewnessEstimator } from "./skewness-answer.ts";
import type { SkewnessTypes } from "./skewness-types.ts";

/** SKEWNESS of a sample: sums of cubes, of squares and of distances from the middle, and a count. */
export const skewnessFamily: AggregateFamily<SkewnessTypes> = {
  calls: {
    skewness: { reads: "number", of: (argument, bounds) => ({ kind: "skewness", argument, bounds }) },
  },
  bounds: { none: null, noneForGroups: "a skewness is bounded per row", learned: true },
  describe: (_, argument) => `SKEWNESS(${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: () => null,
  write: ({ argument, bounds }) => `SKEWNESS(${writeArguments(argument, bounds)})`,
  measure({ argument, bounds }, measurer) {
    const grid = rowGrid("SKEWNESS", argument, bounds);
    const { half } = centre(grid);
    const offset = (half * half) / 2n;
    const [ofCubes, ofSquares, ofSum, ofCount] = measurer.parts(1, 1, 1, 1 / 4);
    return {
      kind: "skewness",
      cubes: measureCubes(measurer, argument, grid, ofCubes, bounds),
      squares: measureSquares(measurer, argument, grid, offset, ofSquares, bounds),
      sum: measureCentred(measurer, argument, grid, ofSum, bounds),
      count: measureCount(measurer, argument, ofCount),
      offset: `${offset}`,
    };
  },
  measurements: ({ cubes, squares, sum, count }) => [cubes, squares, sum, count],
  total: () => null,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: false,
  widths: () => ({ halfWidth: null, widthAt: null, bounds: null }),
  largestTerm: () => null,
  estimator: skewnessEstimator,
  biasNote: (_, name) => `the skewness of ${name} is that of the values so cut`,
};
