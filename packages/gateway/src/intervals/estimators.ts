import {
  averageIntervals,
  type ConfidenceInterval,
  cellQuantiles,
  covarianceIntervals,
  type NoisyCells,
  stddevIntervals,
  totalIntervals,
  varianceIntervals,
} from "@lethe/core";
import {
  averageSetting,
  covarianceSetting,
  noiseOf,
  oneGroup,
  type Plan,
  type PlannedAggregate,
  quantileSetting,
  type RowNoise,
  selfCovarianceSetting,
  varianceSetting,
} from "@lethe/query";
import type { Estimate } from "../release.ts";

type Known = { readonly [Part in keyof Estimate]: number };

/** A group's noisy integers, in the order of the plan's measurements, and of its trees, to one aggregate's estimate. */
export type Estimator = (values: readonly bigint[], trees?: readonly NoisyCells[]) => Estimate;

/** One estimator an aggregate of the plan, of rows that hold this noise; what does not depend on the row is computed once. */
export function estimators(plan: Plan, confidence: number, row: RowNoise = oneGroup): readonly Estimator[] {
  return plan.aggregates.map((aggregate) => estimatorOf(aggregate, plan, confidence, row));
}

export function estimatorOf(
  aggregate: PlannedAggregate,
  plan: Plan,
  confidence: number,
  row: RowNoise,
): Estimator {
  const make = makers[aggregate.kind] as (
    aggregate: PlannedAggregate,
    plan: Plan,
    confidence: number,
    row: RowNoise,
  ) => Estimator;
  return make(aggregate, plan, confidence, row);
}

const makers: {
  readonly [K in PlannedAggregate["kind"]]: (
    aggregate: Extract<PlannedAggregate, { readonly kind: K }>,
    plan: Plan,
    confidence: number,
    row: RowNoise,
  ) => Estimator;
} = {
  count: ({ count }, plan, confidence, row) => total(plan, count, 0, confidence, row),
  sum: ({ sum, exponent }, plan, confidence, row) => total(plan, sum, exponent, confidence, row),
  avg(aggregate, plan, confidence, row) {
    const intervals = averageIntervals(averageSetting(plan, aggregate, confidence, row));
    const step = 2 ** aggregate.exponent;
    const mid = Number(aggregate.mid);
    const bounds = gridBounds(plan, aggregate.sum);
    return (values) =>
      within(
        bounds,
        scaled(intervals({ sum: values[aggregate.sum]!, count: values[aggregate.count]! }), step, mid),
      );
  },
  covariance(aggregate, plan, confidence, row) {
    const unit = 2 ** aggregate.exponent;
    const self = selfCovarianceSetting(plan, aggregate, confidence, row);
    if (self) {
      const variances = varianceIntervals(self);
      return (values) => {
        const [squares, sum] = [values[aggregate.products]!, values[aggregate.sum]!];
        return scaled(variances({ squares, sum, count: values[aggregate.count]! }), unit, 0);
      };
    }
    const intervals = covarianceIntervals(covarianceSetting(plan, aggregate, confidence, row));
    return (values) =>
      scaled(
        intervals({
          products: values[aggregate.products]!,
          sum: values[aggregate.sum]!,
          otherSum: values[aggregate.otherSum]!,
          count: values[aggregate.count]!,
        }),
        unit,
        0,
      );
  },
  variance: (aggregate, plan, confidence, row) => spread(aggregate, plan, confidence, row),
  stddev: (aggregate, plan, confidence, row) => spread(aggregate, plan, confidence, row),
  quantile: (aggregate, plan, confidence) => {
    const quantiles = cellQuantiles(quantileSetting(plan, aggregate, confidence));
    const { grid, cellWidth } = plan.trees![aggregate.tree]!;
    const [least, greatest, width] = [Number(grid.lo), Number(grid.hi), Number(cellWidth)];
    const step = 2 ** grid.exponent;
    const firstOf = (cell: number): number => Math.min(least + cell * width, greatest);
    const lastOf = (cell: number): number => Math.min(least + (cell + 1) * width - 1, greatest);
    return (_, trees = []) => {
      const { cell, within: share, first, last } = quantiles(trees[aggregate.tree]!);
      const value = Math.min(firstOf(cell) + Math.floor(share * width), lastOf(cell));
      return { value: value * step, lower: firstOf(first) * step, upper: lastOf(last) * step };
    };
  },
};

/** Counts and sums: one measurement each. */
function total(
  plan: Plan,
  measurement: number,
  exponent: number,
  confidence: number,
  row: RowNoise,
): Estimator {
  const noise = noiseOf(plan, measurement, row);
  const intervals = totalIntervals({ noise, confidence, ...possibleSigns(plan, measurement) });
  const step = 2 ** exponent;
  return (values) => {
    const { value, lower, upper } = intervals(values[measurement]!);
    return { value: Number(value) * step, lower: Number(lower) * step, upper: Number(upper) * step };
  };
}

/** Counts are at least 0, and a sum of values of one sign has that sign: a public fact that shortens intervals near 0. */
export function possibleSigns(plan: Plan, measurement: number): { atLeast?: bigint; atMost?: bigint } {
  const column = plan.sums[plan.measurements[measurement]!.terms[0]!.column]!;
  if (column.kind !== "sum") return { atLeast: 0n };
  const [clampLow, clampHigh] = [BigInt(column.lo), BigInt(column.hi)];
  const kept = (x: bigint): bigint => (x < clampLow ? clampLow : x > clampHigh ? clampHigh : x);
  // A unit that is one row is held by the grid as well as by the clamp.
  const oneRow = plan.unit.kind === "row";
  const low = oneRow ? kept(BigInt(column.grid.lo)) : clampLow;
  const high = oneRow ? kept(BigInt(column.grid.hi)) : clampHigh;
  return { ...(low >= 0n ? { atLeast: 0n } : {}), ...(high <= 0n ? { atMost: 0n } : {}) };
}

type Spread = Extract<PlannedAggregate, { readonly kind: "variance" | "stddev" }>;

function spread(aggregate: Spread, plan: Plan, confidence: number, row: RowNoise): Estimator {
  const { kind, squares, sum, count, exponent } = aggregate;
  const setting = varianceSetting(plan, aggregate, confidence, row);
  const intervals = kind === "variance" ? varianceIntervals(setting) : stddevIntervals(setting);
  const step = 2 ** (kind === "variance" ? 2 * exponent : exponent);
  return (values) =>
    scaled(intervals({ squares: values[squares]!, sum: values[sum]!, count: values[count]! }), step, 0);
}

/** The least and the greatest value that a measured sum adds up, in the question's units. */
function gridBounds(plan: Plan, measurement: number): readonly [number, number] {
  const column = plan.sums[plan.measurements[measurement]!.terms[0]!.column]!;
  if (!("grid" in column)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { lo, hi, exponent } = column.grid;
  return [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent];
}

/**
 * Clips an estimate to the bounds. Where the width of the bounds is odd, the middle is half a step off, and mid ± half reaches one step beyond a
 * bound.
 */
function within([least, greatest]: readonly [number, number], { value, lower, upper }: Known): Known {
  const clip = (x: number): number => Math.min(Math.max(x, least), greatest);
  return { value: clip(value), lower: clip(lower), upper: clip(upper) };
}

/** Converts grid units to the question's: (x + shift)·step. */
function scaled({ value, lower, upper }: ConfidenceInterval, step: number, shift: number): Known {
  return { value: (value + shift) * step, lower: (lower + shift) * step, upper: (upper + shift) * step };
}
