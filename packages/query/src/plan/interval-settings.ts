import type {
  AverageSetting,
  CellQuantileSetting,
  CovarianceSetting,
  Noise,
  VarianceSetting,
} from "@lethe/core";
import type { Plan, PlannedAggregate } from "./plan.ts";

type Average = Extract<PlannedAggregate, { readonly kind: "avg" }>;
type Quantile = Extract<PlannedAggregate, { readonly kind: "quantile" }>;
type Spread = Extract<PlannedAggregate, { readonly kind: "variance" | "stddev" }>;

type Joint = Extract<PlannedAggregate, { readonly kind: "covariance" }>;

/** What core needs to put an interval on a planned average. Grid units. */
export function averageSetting(plan: Plan, aggregate: Average, confidence: number): AverageSetting {
  return {
    half: BigInt(aggregate.half),
    sumNoise: noiseOf(plan, aggregate.sum),
    countNoise: noiseOf(plan, aggregate.count),
    confidence,
  };
}

/** What core needs to put an interval on a planned variance or standard deviation. Grid units (variance: squared). */
export function varianceSetting(plan: Plan, aggregate: Spread, confidence: number): VarianceSetting {
  return {
    half: BigInt(aggregate.half),
    offset: BigInt(aggregate.offset),
    squaresNoise: noiseOf(plan, aggregate.squares),
    sumNoise: noiseOf(plan, aggregate.sum),
    countNoise: noiseOf(plan, aggregate.count),
    population: aggregate.population,
    confidence,
  };
}

/** What core needs to put an interval on a planned covariance. Products of grid units. */
export function covarianceSetting(plan: Plan, aggregate: Joint, confidence: number): CovarianceSetting {
  return {
    half: BigInt(aggregate.half),
    otherHalf: BigInt(aggregate.otherHalf),
    productsNoise: noiseOf(plan, aggregate.products),
    sumNoise: noiseOf(plan, aggregate.sum),
    otherSumNoise: noiseOf(plan, aggregate.otherSum),
    countNoise: noiseOf(plan, aggregate.count),
    population: aggregate.population,
    confidence,
  };
}

/** What core needs to read a planned quantile from its tree. In cells. */
export function quantileSetting(plan: Plan, aggregate: Quantile, confidence: number): CellQuantileSetting {
  const { branching, height, noise, rowWeight } = plan.trees![aggregate.tree]!;
  return { tree: { branching, height }, noise, rowWeight, share: aggregate.share, confidence };
}

function noiseOf(plan: Plan, measurement: number): Noise {
  return plan.measurements[measurement]!.noise;
}
