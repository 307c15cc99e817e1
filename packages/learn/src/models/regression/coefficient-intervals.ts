import { doubleAt, elementAt } from "@lethe/core/numeric";
import { dot, matrixOf, transposedTimes } from "../../linear/matrix.ts";
import { symmetricEigen } from "../../linear/symmetric-eigen.ts";
import { errorQuantile } from "../../moments/error-interval.ts";
import { type NoisyMoments, varianceIn } from "../../moments/noisy-moments.ts";
import type { Design } from "./design.ts";
import type { NoisySolution } from "./noisy-solution.ts";

/**
 * Returns form ↦ the half-width of an interval of form·β, ./regression.proof.md:
 *   β̂ − β = (A + λP)⁻¹·(e − E·β) = (A + λP)⁻¹·D·N·(t − Dᵀβ),  N the noise of the moments,
 * exactly, where A is noisy. With β̂ in place of β on the right it is a linear form in the noises that were drawn; what that leaves out,
 * N times the error of β̂, is added as a Gaussian of its variance.
 */
export function coefficientHalfWidths(
  moments: NoisyMoments,
  { regressors, target }: Design,
  { beta, inverse }: NoisySolution,
  confidence: number,
): (form: Float64Array) => number {
  const fitted = transposedTimes(regressors, beta);
  const residual = target.map((x, place) => x - doubleAt(fitted, place));
  const errors = errorsOf(moments, regressors, residual, inverse).map((error) =>
    transposedTimes(regressors, error),
  );
  return (form) => {
    const direction = transposedTimes(regressors, inverse(form));
    const further = errors.reduce(
      (total, error) => total + varianceIn(moments, moments.noiseIn(direction, error)),
      0,
    );
    return errorQuantile(moments.noises, moments.noiseIn(direction, residual), confidence, further);
  };
}

/** Vectors c with Cov(β̂) = Σ c·cᵀ: one standard deviation of β̂ each, in independent directions. */
function errorsOf(
  moments: NoisyMoments,
  regressors: readonly Float64Array[],
  residual: Float64Array,
  inverse: NoisySolution["inverse"],
): readonly Float64Array[] {
  const scaled = regressors.map((regressor) =>
    moments
      .noiseIn(regressor, residual)
      .map((weight, k) => weight * Math.sqrt(elementAt(moments.noises, k).variance)),
  );
  const size = regressors.length;
  const { values, vectors } = symmetricEigen(
    matrixOf(size, size, (i, j) => dot(elementAt(scaled, i), elementAt(scaled, j))),
  );
  return vectors.map((vector, k) => {
    const length = Math.sqrt(Math.max(0, doubleAt(values, k)));
    return inverse(vector.map((x) => x * length));
  });
}
