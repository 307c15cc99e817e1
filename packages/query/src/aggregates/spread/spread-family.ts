import { measureCentred } from "../average/measure-centred.ts";
import { centre } from "../bounds/centre.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeArguments } from "../bounds/write-arguments.ts";
import { measureCount } from "../count/measure-count.ts";
import { distinctWord, valuesAtBounds, withoutCurve } from "../distinct/distinct-words.ts";
import { measureSquaresOfValues, measureSumOfValues, measureValues } from "../distinct/measure-powers.ts";
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
  describe: ({ kind, distinct }, argument) => `${names[kind].whole}(${distinctWord(distinct)}${argument})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: ({ distinct }) => (distinct ? "spreads of distinct values" : null),
  write: ({ kind, population, argument, bounds, distinct }) =>
    `${names[kind].stem}_${population ? "POP" : "SAMP"}(${distinctWord(distinct)}${writeArguments(argument, bounds)})`,
  measure({ kind, population, argument, bounds, present = argument, distinct }, measurer) {
    const grid = rowGrid(names[kind].whole, argument, bounds, { distinct });
    const { mid, half } = centre(grid);
    const offset = (half * half) / 2n;
    const [ofSquares, ofSum, ofCount] = measurer.parts(1 / 4, 1, 1 / 16);
    const values = { argument, grid, mid, bounds };
    const measured = distinct
      ? {
          squares: measureSquaresOfValues(measurer, values, offset, ofSquares),
          sum: measureSumOfValues(measurer, values, ofSum),
          count: measureValues(measurer, values, ofCount),
        }
      : {
          squares: measureSquares(measurer, argument, grid, offset, ofSquares, bounds),
          sum: measureCentred(measurer, argument, grid, ofSum, bounds),
          count: measureCount(measurer, present, ofCount),
        };
    const read = { half: `${half}`, offset: `${offset}`, exponent: grid.exponent };
    return { kind, population, ...measured, ...read, ...(distinct ? { distinct } : {}) };
  },
  measurements: ({ squares, sum, count }) => [squares, sum, count],
  total: () => null,
  reading: () => null,
  valuesIn: ({ sum }) => sum,
  widthIsKnown: true,
  // How many values are distinct nobody says beforehand.
  widths: (planned, setting) => withoutCurve(spreadWidths(planned, setting), planned.distinct),
  largestTerm: () => null,
  estimator: spreadEstimator,
  biasNote: ({ kind, distinct }, name) =>
    distinct
      ? valuesAtBounds(`${names[kind].whole}(DISTINCT ${name})`)
      : `${names[kind].told} of ${name} can only become too small`,
};
