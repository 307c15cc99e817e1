import { addAt, doubleAt, elementAt } from "@lethe/core/numeric";
import { semidefiniteSolver } from "../linear/cholesky.ts";
import { matrixOf } from "../linear/matrix.ts";
import type { Answer, Measured } from "../statistics/answer.ts";
import type { Layout } from "../statistics/layout.ts";
import type { NoiseShape } from "../statistics/noise-shape.ts";
import { readAnswer } from "../statistics/read-answer.ts";
import { keyOf, type Statistic } from "../statistics/statistic.ts";
import { type Constraint, constraintsOf } from "./constraints.ts";

/**
 * Noisy sums that agree with each other: what is left of a total equals it. All are estimates without bias, and each is its true sum plus a
 * linear form in the independent noises that were drawn.
 */
export interface NoisyStatistics {
  readonly values: Float64Array;
  /** The independent noises that were drawn. */
  readonly noises: readonly NoiseShape[];
  /** The place of a sum; null for one that no question measured. */
  place(statistic: Statistic): number | null;
  /** Maps Σ gradientᵢ·sumᵢ to what each independent noise is multiplied by in its error. */
  noiseIn(gradient: Float64Array): Float64Array;
}

/**
 * Reads the released answers to a layout's questions, in their order. Sums that were measured twice, or that follow from others, are
 * combined by generalised least squares: weights are the inverse variances of what was drawn, which are public.
 * Source: Hay, Rastogi, Miklau & Suciu 2010, for consistency by least squares. Direction: none; linear and unbiased.
 * Errors: release.invalid where an answer is none to its question.
 */
export function readStatistics(layout: Layout, answers: readonly Answer[]): NoisyStatistics {
  return combineMeasured(
    layout.questions.map((question, place) => readAnswer(question, layout, elementAt(answers, place))),
  );
}

/**
 * The same of sums that are read already, question by question: those of a release, or estimates that were made elsewhere, such as from reports that
 * their senders randomized.
 */
export function combineMeasured(questions: readonly (readonly Measured[])[]): NoisyStatistics {
  const measured = questions.flat();
  const noises = measured.map(({ noise }) => noise);
  const places = new Map(measured.map(({ statistic }, place): [string, number] => [keyOf(statistic), place]));
  const { values, noiseIn } = projected(
    Float64Array.from(measured, ({ value }) => value),
    weightsOf(noises),
    constraintsOf(questions),
  );
  return { values, noises, place: (statistic) => places.get(keyOf(statistic)) ?? null, noiseIn };
}

/** Variances; one that is 0 beside others is taken as a millionth of the least, and all of them as 1 where none was drawn. */
function weightsOf(noises: readonly NoiseShape[]): Float64Array {
  const drawn = noises.map(({ variance }) => variance).filter((variance) => variance > 0);
  const least = drawn.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const exact = drawn.length === 0 ? 1 : least * 1e-6;
  return Float64Array.from(noises, ({ variance }) => (variance > 0 ? variance : exact));
}

/**
 * θ = y − V·Cᵀ·(C·V·Cᵀ)⁻¹·C·y, the nearest to y in Σ (θ − y)²/v among those with C·θ = 0. An error of y maps to one of θ by the same matrix,
 * whose transpose is g ↦ g − Cᵀ·(C·V·Cᵀ)⁻¹·C·V·g.
 */
function projected(
  y: Float64Array,
  variances: Float64Array,
  constraints: readonly Constraint[],
): Pick<NoisyStatistics, "values" | "noiseIn"> {
  const apply = (vector: Float64Array): Float64Array =>
    Float64Array.from(constraints, (terms) =>
      terms.reduce((total, { place, sign }) => total + sign * doubleAt(vector, place), 0),
    );
  const spread = (multipliers: Float64Array): Float64Array => {
    const sums = new Float64Array(y.length);
    for (const [row, terms] of constraints.entries())
      for (const { place, sign } of terms) addAt(sums, place, sign * doubleAt(multipliers, row));
    return sums;
  };
  const scaled = (vector: Float64Array): Float64Array =>
    vector.map((x, place) => x * doubleAt(variances, place));
  const columns = constraints.map((_, row) => {
    const unit = new Float64Array(constraints.length);
    unit[row] = 1;
    return apply(scaled(spread(unit)));
  });
  const solve = semidefiniteSolver(
    matrixOf(constraints.length, constraints.length, (i, j) => doubleAt(elementAt(columns, j), i)),
  );
  const less = (a: Float64Array, b: Float64Array): Float64Array =>
    a.map((x, place) => x - doubleAt(b, place));
  return {
    values: less(y, scaled(spread(solve(apply(y))))),
    noiseIn: (gradient) => less(gradient, spread(solve(apply(scaled(gradient))))),
  };
}
