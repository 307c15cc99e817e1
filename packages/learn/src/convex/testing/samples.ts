import { SeededSource } from "@lethe/core/tape";
import { type ConvexProblem, lossOf, type OwnedRows, planDescent, runDescent } from "../index.ts";

/** Uniform numbers in [0, 1), reproducible. */
export function uniforms(seed: number): () => number {
  const source = new SeededSource(seed);
  return () => source.word() / 2 ** 32;
}

/** n rows whose class follows a logistic model with weights of alternating sign; features lie in the unit ball. */
export function classes(
  n: number,
  dimension: number,
  seed: number,
): OwnedRows & { readonly labels: Float64Array } {
  const next = uniforms(seed);
  const features = new Float64Array(n * dimension);
  const labels = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    let z = 0;
    for (let j = 0; j < dimension; j += 1) {
      const x = (2 * next() - 1) / Math.sqrt(dimension);
      features[i * dimension + j] = x;
      z += (j % 2 ? 6 : -6) * x;
    }
    labels[i] = next() < 1 / (1 + Math.exp(-z)) ? 1 : -1;
  }
  return { features, labels };
}

/** The mean loss of weights over rows, by its definition. */
export function meanLoss(
  weights: Float64Array,
  { features, labels }: OwnedRows,
  value: (z: number, y: number) => number,
): number {
  let total = 0;
  const d = weights.length;
  for (let i = 0; i < labels.length; i += 1) {
    const z = weights.reduce((sum, w, j) => sum + w * (features[i * d + j] ?? 0), 0);
    total += value(z, labels[i] ?? 0);
  }
  return total / labels.length;
}

/** The mean loss of nearly the best weights of the ball: noisy descent whose noise is next to nothing. */
export function leastMeanLoss(problem: ConvexProblem, rows: OwnedRows): number {
  const units = rows.labels.length;
  const request = {
    problem,
    units,
    adjacency: "replace-one",
    epsilon: 500,
    delta: 1e-6,
    noise: "tight",
  } as const;
  const weights = runDescent(planDescent({ ...request, steps: 400 }), rows, new SeededSource(9));
  return meanLoss(weights, rows, lossOf(problem.loss).value);
}

/** Every smooth loss, in a problem over the unit ball. */
export const smoothProblems: readonly ConvexProblem[] = [
  { loss: { name: "linear" }, dimension: 3, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
  { loss: { name: "squared" }, dimension: 3, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
  { loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 1 },
  {
    loss: { name: "huber", corner: 0.5 },
    dimension: 3,
    features: { norm: "l2", bound: 1 },
    labels: 1,
    radius: 1,
  },
  { loss: { name: "smooth-hinge", width: 0.5 }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 1 },
];

/** The problems of all losses. */
export const problems: readonly ConvexProblem[] = [
  ...smoothProblems,
  { loss: { name: "hinge" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 1 },
];

/** ‖a − b‖₂. */
export function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((x, i) => x - (b[i] ?? Number.NaN)));
}
