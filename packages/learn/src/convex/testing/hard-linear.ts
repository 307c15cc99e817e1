import { elementAt } from "@lethe/core/numeric";
import type { ConvexProblem, OwnedRows } from "../index.ts";
import { uniforms } from "./samples.ts";

/**
 * The hard instance of private optimisation (Bassily, Smith & Thakurta 2014; C §3): linear losses over rows of signs, most of which cancel in pairs;
 * what is left is a mean of norm about 6·√(d·ln(1/δ))/(εn), where noise hides its direction.
 */
export function hardLinear(setting: {
  readonly units: number;
  readonly dimension: number;
  readonly epsilon: number;
  readonly delta: number;
}): { readonly problem: ConvexProblem; readonly rows: OwnedRows; excess(weights: Float64Array): number } {
  const { units, dimension, epsilon, delta } = setting;
  const next = uniforms(dimension);
  const sign = (): number => (next() < 0.5 ? -1 : 1) / Math.sqrt(dimension);
  const direction = Array.from({ length: dimension }, sign);
  const wanted = Math.round((6 * Math.sqrt(dimension * Math.log(1 / delta))) / epsilon);
  const same = Math.min(units, wanted + ((units - wanted) % 2 === 0 ? 0 : 1));
  const features = new Float64Array(units * dimension);
  for (let i = 0; i < units; i += 1)
    for (let j = 0; j < dimension; j += 1) {
      const at = i * dimension + j;
      if (i < same) features[at] = elementAt(direction, j);
      else features[at] = (i - same) % 2 === 0 ? sign() : -elementAt(features, at - dimension);
    }
  const norm = same / units;
  return {
    problem: {
      loss: { name: "linear" },
      dimension,
      features: { norm: "l2", bound: 1 },
      labels: 1,
      radius: 1,
    },
    rows: { features, labels: new Float64Array(units).fill(1) },
    // F(w) − F(w*) = |mean| − ⟨mean, w⟩.
    excess: (weights) => norm * (1 - weights.reduce((sum, w, j) => sum + w * elementAt(direction, j), 0)),
  };
}

/** The slope of a least-squares line through points (ln x, ln y). */
export function logSlope(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([a]) => a), mean(([, b]) => b)];
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}
