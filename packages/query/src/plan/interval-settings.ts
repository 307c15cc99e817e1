import {
  type AddedNoise,
  type AverageSetting,
  type CellQuantileSetting,
  type CovarianceSetting,
  mixedNoise,
  type VarianceSetting,
} from "@lethe/core";
import type { Plan, PlannedAggregate } from "./plan.ts";
import { oneGroup, type RowNoise } from "./row-noise.ts";

type Average = Extract<PlannedAggregate, { readonly kind: "avg" }>;
type Quantile = Extract<PlannedAggregate, { readonly kind: "quantile" }>;
type Spread = Extract<PlannedAggregate, { readonly kind: "variance" | "stddev" }>;

type Joint = Extract<PlannedAggregate, { readonly kind: "covariance" }>;

/** Returns the setting with which core puts an interval on a planned average of any row. Grid units. */
export function averageSetting(
  plan: Plan,
  aggregate: Average,
  confidence: number,
  row: RowNoise = oneGroup,
): AverageSetting {
  return {
    half: BigInt(aggregate.half),
    sumNoise: noiseOf(plan, aggregate.sum, row),
    countNoise: noiseOf(plan, aggregate.count, row),
    confidence,
  };
}

/** Returns the setting with which core puts an interval on a planned variance or standard deviation. Grid units (variance: squared). */
export function varianceSetting(
  plan: Plan,
  aggregate: Spread,
  confidence: number,
  row: RowNoise = oneGroup,
): VarianceSetting {
  return {
    half: BigInt(aggregate.half),
    offset: BigInt(aggregate.offset),
    squaresNoise: noiseOf(plan, aggregate.squares, row),
    sumNoise: noiseOf(plan, aggregate.sum, row),
    countNoise: noiseOf(plan, aggregate.count, row),
    population: aggregate.population,
    confidence,
  };
}

/** Returns the setting with which core puts an interval on a planned covariance. Products of grid units. */
export function covarianceSetting(
  plan: Plan,
  aggregate: Joint,
  confidence: number,
  row: RowNoise = oneGroup,
): CovarianceSetting {
  return {
    half: BigInt(aggregate.half),
    otherHalf: BigInt(aggregate.otherHalf),
    productsNoise: noiseOf(plan, aggregate.products, row),
    sumNoise: noiseOf(plan, aggregate.sum, row),
    otherSumNoise: noiseOf(plan, aggregate.otherSum, row),
    countNoise: noiseOf(plan, aggregate.count, row),
    population: aggregate.population,
    confidence,
  };
}

/**
 * Returns the same for the covariance of a column with itself, null for any other. The sum is measured once, so its noise is one
 * draw and not two, and the covariance is a variance whose squares are counted from 0.
 */
export function selfCovarianceSetting(
  plan: Plan,
  aggregate: Joint,
  confidence: number,
  row: RowNoise = oneGroup,
): VarianceSetting | null {
  if (aggregate.sum !== aggregate.otherSum) return null;
  const { productsNoise, ...rest } = covarianceSetting(plan, aggregate, confidence, row);
  return { ...rest, squaresNoise: productsNoise, offset: 0n };
}

/** Returns the setting with which core reads a planned quantile from its tree. In cells. */
export function quantileSetting(plan: Plan, aggregate: Quantile, confidence: number): CellQuantileSetting {
  const { branching, height, noise, rowWeight } = plan.trees![aggregate.tree]!;
  return { tree: { branching, height }, noise, rowWeight, share: aggregate.share, confidence };
}

/** Returns the noise between a measured total and the true one, in a row that sums these draws. */
export function noiseOf(plan: Plan, measurement: number, row: RowNoise = oneGroup): AddedNoise {
  return mixedNoise(
    row.map(({ level, draws }) => {
      const measured = level === 0 ? plan.measurements : plan.totals![level - 1]!.measurements;
      return { draws, of: measured[measurement]!.noise };
    }),
  );
}
