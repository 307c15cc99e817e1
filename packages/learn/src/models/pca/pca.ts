import { doubleAt, elementAt } from "@lethe/core/numeric";
import { rowsOfModel } from "../../model/missing-rows.ts";
import type { Model, NumberColumn } from "../../model/model.ts";
import type { NoisyStatistics } from "../../moments/noisy-statistics.ts";
import { double } from "../../sql/literal.ts";
import type { Layout } from "../../statistics/layout.ts";
import { centredMoments } from "../centred-moments.ts";
import type { RowValues } from "../row-values.ts";
import { allScaled, type ScaledNumber, scaledSql } from "../scaled-number.ts";

/** Principal components of numbers scaled to half the width of their public bounds. JSON throughout. */
export interface FittedPca {
  readonly version: 1;
  readonly kind: "pca";
  readonly features: readonly NumberColumn[];
  readonly means: readonly number[];
  readonly scales: readonly number[];
  /** By falling variance. */
  readonly components: readonly Component[];
  readonly notes: readonly string[];
}

export interface Component {
  /** Of length 1; the largest entry is positive. */
  readonly loadings: readonly number[];
  readonly variance: number;
  /** Its share of the variance in all directions; 0 where there is none. */
  readonly share: number;
}

/** Fits principal components to noisy sums, and no noise makes it fail. */
export function fitPca(
  model: Model,
  { features, components }: { readonly features: readonly NumberColumn[]; readonly components: number },
  layout: Layout,
  statistics: NoisyStatistics,
): FittedPca {
  const { means, eigen } = centredMoments(layout, statistics);
  const all = eigen.values.reduce((total, value) => total + value, 0);
  return {
    version: 1,
    kind: "pca",
    features,
    means: layout.numbers.map(({ middle, half }, i) => middle + half * doubleAt(means, i)),
    scales: layout.numbers.map(({ half }) => half),
    components: eigen.vectors.slice(0, components).map((vector, k) => {
      const variance = doubleAt(eigen.values, k);
      return { loadings: [...turned(vector)], variance, share: all > 0 ? variance / all : 0 };
    }),
    notes: rowsOfModel(model),
  };
}

/** A direction is the same with either sign, so its largest entry is made positive. */
function turned(vector: Float64Array): Float64Array {
  const largest = vector.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return largest < 0 ? vector.map((x) => -x) : vector;
}

/** The scores of a row, one a component; null where a number is missing. */
export function componentScores(fitted: FittedPca, row: RowValues): readonly number[] | null {
  const z = allScaled(scaledNumbers(fitted), row);
  return (
    z &&
    fitted.components.map(({ loadings }) =>
      loadings.reduce((total, loading, i) => total + loading * elementAt(z, i), 0),
    )
  );
}

/** The same as expressions of SQL, in PostgreSQL's syntax. */
export function componentsSql(fitted: FittedPca): readonly string[] {
  const z = scaledNumbers(fitted).map(scaledSql);
  return fitted.components.map(({ loadings }) =>
    loadings.map((loading, i) => `${double(loading)} * ${elementAt(z, i)}`).join(" + "),
  );
}

function scaledNumbers({ features, means, scales }: FittedPca): readonly ScaledNumber[] {
  return features.map((column, i) => ({ column, centre: elementAt(means, i), scale: elementAt(scales, i) }));
}
