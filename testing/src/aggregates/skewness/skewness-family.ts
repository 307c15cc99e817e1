import type { Aggregate } from "@lethe/query";
import {
  type AggregateFamily,
  centre,
  measureCentred,
  measureCount,
  measureSquares,
  rowGrid,
  writeArguments,
} from "@lethe/query/aggregates";
import { measureCubes } from "./measure-cubes.ts";
import { skewnessEstimator } from "./skewness-answer.ts";
import type { SkewnessAggregate, SkewnessTypes } from "./skewness-types.ts";

/** SKEWNESS: sums of cubes, of squares and of distances from the middle, and a count. */
export const skewnessFamily: AggregateFamily<SkewnessTypes> = {
  calls: {
    skewness: {
      reads: "number",
      of(argument, bounds) {
        const asked: SkewnessAggregate = { kind: "skewness", argument, bounds };
        // The type of released questions does not know it.
        return asked as unknown as Aggregate;
      },
    },
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
  biasNote: (_, name) => `a skewness of ${name} is that of the values so cut`,
};
