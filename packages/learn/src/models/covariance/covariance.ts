import { doubleAt, elementAt } from "@lethe/core/numeric";
import { at } from "../../linear/matrix.ts";
import { rowsOfModel } from "../../model/missing-rows.ts";
import type { Model, NumberColumn } from "../../model/model.ts";
import type { NoisyStatistics } from "../../moments/noisy-statistics.ts";
import { double } from "../../sql/literal.ts";
import type { Layout } from "../../statistics/layout.ts";
import { centredMoments, fromEigen } from "../centred-moments.ts";
import type { RowValues } from "../row-values.ts";
import { allScaled, type ScaledNumber, scaledSql } from "../scaled-number.ts";

/** Means, covariances and correlations in the columns' own units. JSON throughout. */
export interface FittedCovariance {
  readonly version: 1;
  readonly kind: "covariance";
  readonly features: readonly NumberColumn[];
  /** The noisy number of rows, at least 1. */
  readonly rows: number;
  readonly means: readonly number[];
  /** Covariances of the rows, divided by their number; positive semidefinite. */
  readonly covariances: readonly (readonly number[])[];
  /** null where a variance is 0. */
  readonly correlations: readonly (readonly (number | null)[])[];
  /** The inverse of the covariances of numbers scaled to half the width of their bounds; directions without variance are left out. */
  readonly precision: readonly (readonly number[])[];
  readonly scales: readonly number[];
  readonly notes: readonly string[];
}

/** A share of the largest variance below which a direction has none. */
const least = 1e-9;

/** Fits covariances to noisy sums, and no noise makes it fail. */
export function fitCovariance(
  model: Model,
  features: readonly NumberColumn[],
  layout: Layout,
  statistics: NoisyStatistics,
): FittedCovariance {
  const { rows, means, covariances, eigen } = centredMoments(layout, statistics);
  const cut = least * doubleAt(eigen.values, 0);
  const precision = fromEigen(eigen, (value) => (value > cut ? 1 / value : 0));
  const halves = layout.numbers.map(({ half }) => half);
  const scale = (i: number, j: number): number => elementAt(halves, i) * elementAt(halves, j);
  const correlation = (i: number, j: number): number | null => {
    const variances = at(covariances, i, i) * at(covariances, j, j);
    if (!(variances > 0)) return null;
    return i === j ? 1 : Math.min(1, Math.max(-1, at(covariances, i, j) / Math.sqrt(variances)));
  };
  return {
    version: 1,
    kind: "covariance",
    features,
    rows,
    means: layout.numbers.map(({ middle, half }, i) => middle + half * doubleAt(means, i)),
    covariances: covariances.map((row, i) => Array.from(row, (value, j) => value * scale(i, j))),
    correlations: halves.map((_, i) => halves.map((_none, j) => correlation(i, j))),
    precision: precision.map((row) => [...row]),
    scales: halves,
    notes: rowsOfModel(model),
  };
}

/** The squared Mahalanobis distance of a row from the means: how unusual it is; null where a number is missing. */
export function squaredDistance(fitted: FittedCovariance, row: RowValues): number | null {
  const z = allScaled(scaledNumbers(fitted), row);
  if (!z) return null;
  return z.reduce(
    (total, one, i) =>
      total +
      one * z.reduce((sum, other, j) => sum + elementAt(elementAt(fitted.precision, i), j) * other, 0),
    0,
  );
}

/** The same as an expression of SQL, in PostgreSQL's syntax. */
export function squaredDistanceSql(fitted: FittedCovariance): string {
  const z = scaledNumbers(fitted).map(scaledSql);
  return z
    .map((one, i) => {
      const row = elementAt(fitted.precision, i);
      return `${one} * (${z.map((other, j) => `${double(elementAt(row, j))} * ${other}`).join(" + ")})`;
    })
    .join(" + ");
}

function scaledNumbers({ features, means, scales }: FittedCovariance): readonly ScaledNumber[] {
  return features.map((column, i) => ({ column, centre: elementAt(means, i), scale: elementAt(scales, i) }));
}
