import { measureCentred } from "../average/measure-centred.ts";
import { centre } from "../bounds/centre.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { measureCount } from "../count/measure-count.ts";
import type { AggregateFamily } from "../family.ts";
import { measureSquares } from "./measure-squares.ts";
import { spreadEstimator, spreadWidths } from "./spread-answer.ts";
import { spreadCalls } from "./spread-calls.ts";
import type { SpreadAggregate, SpreadTypes } from "./spread-types.ts";

const names: Readonly<
  Record<SpreadAggregate["kind"], { readonly stem: string; readonly whole: string; readonly told: string }>
> = {
  variance: { stem: "VAR", whole: "VARIANCE", told: "the variance" },
  stddev: { stem: "STDDEV", whole: "STDDEV", told: "the standard deviation" },
};

/** VARIANCE and STDDEV: sums of squares and of distances from the middle, and a count. */
export const spreadFamily: AggregateFamily<SpreadTypes> = {
  calls: spreadCalls,
  bounds: { none: null, noneForGroups: null, groupsBoundRows: true, learned: true },
  describe: ({ kind }, argument) => `${names[kind].whole}(${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: () => null,
  write: ({ kind, population, argument, bounds }) =>
    `${names[kind].stem}_${population ? "POP" : "SAMP"}(${writeArguments(argument, bounds)})`,
  measure({ kind, population, argument, bounds, present = argument }, measurer) {
    const grid = rowGrid(names[kind].whole, argument, bounds);
    const { half } = centre(grid);
    const offset = (half * half) / 2n;
    const [ofSquares, ofSum, ofCount] = measurer.parts(1 / 4, 1, 1 / 16);
    return {
      kind,
      population,
      squares: measureSquares(measurer, argument, grid, offset, ofSquares, bounds),
      sum: measureCentred(measurer, argument, grid, ofSum, bounds),
      count: measureCount(measurer, present, ofCount),
      half: `${half}`,
      offset: `${offset}`,
      exponent: grid.exponent,
    };
  },
  measurements: ({ squares, sum, count }) => [squares, sum, count],
  total: () => null,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: true,
  widths: spreadWidths,
  largestTerm: () => null,
  estimator: spreadEstimator,
  biasNote: ({ kind }, name) => `${names[kind].told} of ${name} can only become too small`,
};
