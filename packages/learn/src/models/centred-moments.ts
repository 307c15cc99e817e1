import { doubleAt } from "@lethe/core/numeric";
import { at, type Matrix, matrixOf } from "../linear/matrix.ts";
import { type Eigen, symmetricEigen } from "../linear/symmetric-eigen.ts";
import { momentsOf } from "../moments/noisy-moments.ts";
import type { NoisyStatistics } from "../moments/noisy-statistics.ts";
import type { Layout } from "../statistics/layout.ts";

/** Means and covariances of scaled numbers, made possible: at least one row, means in [−1, 1], no negative variance in any direction. */
export interface CentredMoments {
  readonly rows: number;
  readonly means: Float64Array;
  readonly covariances: Matrix;
  /** The eigenvalues and eigenvectors of the covariances. */
  readonly eigen: Eigen;
}

/**
 * Post-processing: a noisy number of rows below 1 is taken as 1, a mean is clamped to its bounds, and negative eigenvalues of the noisy
 * covariances become 0, which is the nearest positive semidefinite matrix.
 * Source: Higham 1988, Thm 2.1. Direction: none.
 */
export function centredMoments(layout: Layout, statistics: NoisyStatistics): CentredMoments {
  const { matrix } = momentsOf(layout, statistics);
  const size = layout.numbers.length;
  const rows = Math.max(1, at(matrix, 0, 0));
  const means = Float64Array.from({ length: size }, (_, i) =>
    Math.min(1, Math.max(-1, at(matrix, 0, i + 1) / rows)),
  );
  const noisy = matrixOf(
    size,
    size,
    (i, j) => at(matrix, i + 1, j + 1) / rows - doubleAt(means, i) * doubleAt(means, j),
  );
  const { values, vectors } = symmetricEigen(noisy);
  const eigen = { values: values.map((value) => Math.max(0, value)), vectors };
  return { rows, means, eigen, covariances: fromEigen(eigen, (value) => value) };
}

/** Σ f(λ)·v·vᵀ, exactly symmetric. */
export function fromEigen({ values, vectors }: Eigen, of: (value: number) => number): Matrix {
  const size = values.length;
  return matrixOf(size, size, (i, j) =>
    vectors.reduce(
      (total, _, k) => total + of(doubleAt(values, k)) * (at(vectors, k, i) * at(vectors, k, j)),
      0,
    ),
  );
}
