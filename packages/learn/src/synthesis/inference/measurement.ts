import { doubleAt } from "@lethe/core/numeric";
import type { Table } from "./cell-map.ts";

/** A noisy table: attributes in order, counts that may be negative, and the variance of each cell's own noise. */
export interface Measurement extends Table {
  /** One for each cell, above 0. */
  readonly variances: Float64Array;
}

/** The noisy contrasts of the residual of a set of attributes, whose noise has one variance in every direction of the residual. */
export interface NoisyResidual extends Table {
  /** Above 0. */
  readonly variance: number;
}

/** Returns a noisy table whose cells all have noise of one variance. */
export function measured(attributes: readonly number[], values: Float64Array, variance: number): Measurement {
  return { attributes, values, variances: new Float64Array(values.length).fill(variance) };
}

/** Returns one table for each set of attributes: the mean of all noisy ones, each cell weighted by 1/σ². */
export function combined(measurements: readonly Measurement[]): readonly Measurement[] {
  const bySet = new Map<string, Measurement>();
  for (const next of measurements) {
    const key = next.attributes.join(",");
    const before = bySet.get(key);
    bySet.set(key, before ? mean(before, next) : next);
  }
  return [...bySet.values()];
}

function mean(a: Measurement, b: Measurement): Measurement {
  const shares = a.variances.map((variance, cell) => {
    const other = doubleAt(b.variances, cell);
    return other / (variance + other);
  });
  return {
    attributes: a.attributes,
    values: a.values.map((value, cell) => {
      const share = doubleAt(shares, cell);
      return share * value + (1 - share) * doubleAt(b.values, cell);
    }),
    variances: a.variances.map((variance, cell) => doubleAt(shares, cell) * variance),
  };
}

/** Returns one residual for each set of attributes: the mean of all noisy ones, weighted by 1/σ². */
export function combinedResiduals(residuals: readonly NoisyResidual[]): readonly NoisyResidual[] {
  const bySet = new Map<string, NoisyResidual>();
  for (const next of residuals) {
    const key = next.attributes.join(",");
    const before = bySet.get(key);
    const share = before ? next.variance / (before.variance + next.variance) : 0;
    bySet.set(
      key,
      before
        ? {
            attributes: next.attributes,
            values: next.values.map((value, at) => share * doubleAt(before.values, at) + (1 - share) * value),
            variance: share * before.variance,
          }
        : next,
    );
  }
  return [...bySet.values()];
}

/**
 * Returns the number of rows by the sums of all noisy tables, weighted by their precision: it is private, and no other is known. At least 0; 0 where
 * nothing is measured.
 */
export function noisyTotal(measurements: readonly Measurement[]): number {
  let [weighted, weights] = [0, 0];
  for (const { values, variances } of measurements) {
    const weight = 1 / variances.reduce((sum, variance) => sum + variance, 0);
    weighted += weight * values.reduce((sum, value) => sum + value, 0);
    weights += weight;
  }
  return weights > 0 ? Math.max(0, weighted / weights) : 0;
}
