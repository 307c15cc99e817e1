import { measureCentred } from "../average/measure-centred.ts";
import { argumentGrid } from "../bounds/argument-grid.ts";
import { centre } from "../bounds/centre.ts";
import { measureCount } from "../count/measure-count.ts";
import type { AggregateFamily } from "../family.ts";
import { covarianceEstimator, covarianceWidths } from "./covariance-answer.ts";
import { covarianceCalls } from "./covariance-calls.ts";
import type { CovarianceTypes } from "./covariance-types.ts";
import { measureProducts } from "./measure-products.ts";
import { pairPart } from "./pair-parts.ts";
import { regressionCalls } from "./regression-calls.ts";

/** COVAR_POP and COVAR_SAMP: sums of products and of both distances from the middle, and a count. */
export const covarianceFamily: AggregateFamily<CovarianceTypes> = {
  calls: { ...covarianceCalls, ...regressionCalls },
  bounds: { none: null, noneForGroups: "variances take bounds per row", learned: false },
  describe: ({ population, written }) => `${nameOf(population)}(${written})`,
  time: () => undefined,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: () => null,
  write: ({ population, written }) => `${nameOf(population)}(${written})`,
  measure({ population, argument, other, present }, measurer) {
    const name = nameOf(population);
    const x = { argument, grid: argumentGrid(name, argument, null) };
    const y = { argument: other, grid: argumentGrid(name, other, null) };
    const [ofProducts, ofSum, ofOther, ofCount] = measurer.parts(1, 1 / 4, 1 / 4, 1 / 16);
    return {
      kind: "covariance",
      population,
      products: measureProducts(measurer, x, y, ofProducts),
      sum: measureCentred(measurer, argument, x.grid, ofSum),
      otherSum: measureCentred(measurer, other, y.grid, ofOther),
      count: measureCount(measurer, present, ofCount),
      half: `${centre(x.grid).half}`,
      otherHalf: `${centre(y.grid).half}`,
      exponent: x.grid.exponent + y.grid.exponent,
    };
  },
  measurements: ({ products, sum, otherSum, count }) => [products, sum, otherSum, count],
  total: () => null,
  reading: () => null,
  valuesIn: ({ products }) => products,
  widthIsKnown: true,
  widths: covarianceWidths,
  largestTerm: () => null,
  estimator: covarianceEstimator,
  joint: pairPart,
  biasNote: (_, name) => `a covariance with ${name} is that of the clamped values`,
};

function nameOf(population: boolean): string {
  return population ? "COVAR_POP" : "COVAR_SAMP";
}
