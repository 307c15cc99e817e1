import {
  type AddedNoise,
  type AverageSetting,
  addedUp,
  type CellQuantileSetting,
  type CovarianceSetting,
  type VarianceSetting,
} from "@lethe/core";
import type { Plan, PlannedAggregate } from "./plan.ts";

type Average = Extract<PlannedAggregate, { readonly kind: "avg" }>;
type Quantile = Extract<PlannedAggregate, { readonly kind: "quantile" }>;
type Spread = Extract<PlannedAggregate, { readonly kind: "variance" | "stddev" }>;

type Joint = Extract<PlannedAggregate, { readonly kind: "covariance" }>;

/** What core needs to put an interval on a planned average, of a total over `draws` groups too. Grid units. */
export function averageSetting(
  plan: Plan,
  aggregate: Average,
  confidence: number,
  draws = 1,
): AverageSetting {
  return {
    half: BigInt(aggregate.half),
    sumNoise: noiseOf(plan, aggregate.sum, draws),
    countNoise: noiseOf(plan, aggregate.count, draws),
    confidence,
  };
}

/** What core needs to put an interval on a planned variance or standard deviation. Grid units (variance: squared). */
export function varianceSetting(
  plan: Plan,
  aggregate: Spread,
  confidence: number,
  draws = 1,
): VarianceSetting {
  return {
    half: BigInt(aggregate.half),
    offset: BigInt(aggregate.offset),
    squaresNoise: noiseOf(plan, aggregate.squares, draws),
    sumNoise: noiseOf(plan, aggregate.sum, draws),
    countNoise: noiseOf(plan, aggregate.count, draws),
    population: aggregate.population,
    confidence,
  };
}

/** What core needs to put an interval on a planned covariance. Products of grid units. */
export function covarianceSetting(
  plan: Plan,
  aggregate: Joint,
  confidence: number,
  draws = 1,
): CovarianceSetting {
  return {
    half: BigInt(aggregate.half),
    otherHalf: BigInt(aggregate.otherHalf),
    productsNoise: noiseOf(plan, aggregate.products, draws),
    sumNoise: noiseOf(plan, aggregate.sum, draws),
    otherSumNoise: noiseOf(plan, aggregate.otherSum, draws),
    countNoise: noiseOf(plan, aggregate.count, draws),
    population: aggregate.population,
    confidence,
  };
}

/** What core needs to read a planned quantile from its tree. In cells. */
export function quantileSetting(plan: Plan, aggregate: Quantile, confidence: number): CellQuantileSetting {
  const { branching, height, noise, rowWeight } = plan.trees![aggregate.tree]!;
  return { tree: { branching, height }, noise, rowWeight, share: aggregate.share, confidence };
}

/** What stands between a measured total and the true one, where so many groups are added up. */
export function noiseOf(plan: Plan, measurement: number, draws = 1): AddedNoise {
  return addedUp(plan.measurements[measurement]!.noise, draws);
}
