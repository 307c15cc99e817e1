import type { Sensitivity } from "@lethe/core/mechanisms";
import { unitOnGrid } from "./gradient-sums.ts";

/** Quotients of weights by the step of a grid stay below this, so that they are right to 2^−3. */
export const largestOnGrid: number = 2 ** 50;

/**
 * The sensitivity of weights that move by at most `moved` steps of a grid, 2^20 unless stated, before each of d coordinates is rounded to it: √d more, and
 * a quarter of that for the rounding of the quotients.
 */
export function gridSensitivity(dimension: number, moved: number = unitOnGrid): Sensitivity {
  const l2 = BigInt(moved + Math.ceil(Math.sqrt(dimension) * 1.25));
  // ‖v‖₁ ≤ √d·‖v‖₂.
  return { l1: l2 * BigInt(Math.ceil(Math.sqrt(dimension))), l2Squared: l2 * l2 };
}

/** Returns weights as whole numbers of grid steps. They are as private as before: it is called within a seal. */
export function onGrid(weights: Float64Array, grid: number): Float64Array {
  return weights.map((w) => Math.round(w / grid));
}
