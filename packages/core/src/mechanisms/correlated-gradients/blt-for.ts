import { invalidParameter } from "../../errors/lethe-error.ts";
import { checkInteger } from "../noisy-gradients/gradient-sensitivity.ts";
import type { Correlation } from "./correlation.ts";

/** Points of the midpoint rule in each cell. */
const points = 200;

/**
 * Buffers whose coefficients are close to those of (1 − z)^(−1/2), the square root of the running sum, over so many steps. Its j-th coefficient
 * is ∫ θ^(j−1)·w(θ) dθ with w(θ) = √(θ/(1 − θ))/π; u = −ln(1 − θ) is cut into cells, each a buffer of the cell's mass at the cell's mean.
 * Source: by its own derivation; buffers as such: Dvijotham et al. 2024 (arXiv 2404.16706).
 * Direction: exact (whatever comes out is what is run and priced).
 * Errors: parameter.invalid for counts outside their domain.
 * @example bltFor(4, 1000) // => { kind: "blt", decays: [.56…, …], outputs: [.27…, …] }
 */
export function bltFor(buffers: number, steps: number): Extract<Correlation, { readonly kind: "blt" }> {
  checkInteger("buffers", buffers, 1, 32);
  if (!(Number.isSafeInteger(steps) && steps >= 1)) throw invalidParameter("steps", steps, "an integer ≥ 1");
  // Slower decays than by 1/steps are constant over the training; the last cell holds all of them.
  const reach = Math.log(steps + 1) + 1;
  const edge = (cell: number): number => (reach * cell) / buffers;
  const cells = Array.from({ length: buffers }, (_, cell) => {
    const end = cell === buffers - 1 ? Math.max(40, reach + 20) : edge(cell + 1);
    let [mass, moment] = [0, 0];
    const width = (end - edge(cell)) / points;
    for (let i = 0; i < points; i++) {
      const u = edge(cell) + (i + 0.5) * width;
      const theta = -Math.expm1(-u);
      // w(θ) dθ = √θ·e^(u/2)·e^(−u) du / π.
      const weight = (Math.sqrt(theta) * Math.exp(-u / 2) * width) / Math.PI;
      mass += weight;
      moment += weight * theta;
    }
    return { decay: Math.min(moment / mass, 1 - 2 ** -20), mass };
  });
  // The first coefficient after 1 is 1/2, of which the rule misses a little.
  const total = cells.reduce((sum, { mass }) => sum + mass, 0);
  return {
    kind: "blt",
    decays: cells.map(({ decay }) => decay),
    outputs: cells.map(({ mass }) => (0.5 * mass) / total),
  };
}
