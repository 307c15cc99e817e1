import { doubleAt, elementAt } from "@lethe/core/numeric";
import { at, dot, matrixOf, sandwich, times, transposedTimes } from "../../linear/matrix.ts";
import { type Eigen, symmetricEigen } from "../../linear/symmetric-eigen.ts";
import { type NoisyMoments, varianceIn } from "../../moments/noisy-moments.ts";
import type { Design } from "./design.ts";

/** The solution of noisy normal equations. */
export interface NoisySolution {
  readonly beta: Float64Array;
  /** Whether noise may be as large as the data in some direction. */
  readonly drowned: boolean;
  /** Returns (A + λP)⁻¹·vector. */
  inverse(vector: Float64Array): Float64Array;
}

/** The standard deviations of noise that a direction of the data must exceed to be left alone. */
const heldBackBelow = 2;
/** The most that noise may be of the data, in root mean square over all directions together, for a first-order interval. */
const largestShare = 0.1;
/** A share of the largest eigenvalue that doubles cannot tell from 0. */
const rounding = 1e-12;

/**
 * Solves (A + λP)·β = b for A = D·M·Dᵀ and b = D·M·t, M noisy. In each eigenvector's direction the eigenvalue is raised to two standard
 * deviations of the noise there, so that an indefinite or singular matrix has a solution as well; one that is 0 but for rounding has no
 * part in it. The rule reads noisy numbers and public variances alone.
 */
export function solveNoisy(moments: NoisyMoments, design: Design, penalty: number): NoisySolution {
  const { regressors, target, penalized } = design;
  const size = regressors.length;
  const plain = sandwich(regressors, moments.matrix);
  const matrix = matrixOf(
    size,
    size,
    (i, j) => at(plain, i, j) + (i === j ? penalty * doubleAt(penalized, i) : 0),
  );
  const eigen = symmetricEigen(matrix);
  const directions = eigen.vectors.map((vector) => transposedTimes(regressors, vector));
  const deviation = (i: number, j: number): number =>
    Math.sqrt(varianceIn(moments, moments.noiseIn(elementAt(directions, i), elementAt(directions, j))));
  const cut = rounding * Math.max(0, doubleAt(eigen.values, 0));
  const inverses = eigen.values.map((value, i) => {
    const raised = Math.max(value, heldBackBelow * deviation(i, i));
    return raised > cut ? 1 / raised : 0;
  });
  const inverse = (vector: Float64Array): Float64Array => applied(eigen, inverses, vector);
  return {
    beta: inverse(times(regressors, times(moments.matrix, target))),
    drowned: isDrowned(eigen, cut, deviation),
    inverse,
  };
}

/** ‖A^(−½)·E·A^(−½)‖ in root mean square, where A is positive at all. */
function isDrowned({ values }: Eigen, cut: number, deviation: (i: number, j: number) => number): boolean {
  const alone = (value: number, i: number): number => deviation(i, i) / value;
  if (values.some((value, i) => !(value > cut && alone(value, i) <= largestShare))) return true;
  let share = 0;
  for (const [i, one] of values.entries())
    for (const [j, other] of values.entries())
      share += deviation(Math.min(i, j), Math.max(i, j)) ** 2 / (one * other);
  return !(share <= largestShare ** 2);
}

function applied({ vectors }: Eigen, factors: Float64Array, vector: Float64Array): Float64Array {
  return transposedTimes(
    vectors,
    Float64Array.from(vectors, (direction, i) => doubleAt(factors, i) * dot(direction, vector)),
  );
}
