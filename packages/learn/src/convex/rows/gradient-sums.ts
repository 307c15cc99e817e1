import { type Exact, seal } from "@lethe/core/mechanisms";
import { doubleAt } from "@lethe/core/numeric";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { addUnitGradient } from "./unit-gradient.ts";
import type { UnitRows } from "./unit-rows.ts";

/** A unit's gradient is integers on a grid of L·2^-20, of norm at most 2^20, so that sums are exact in any order. */
export const unitOnGrid: number = 2 ** 20;

/** The value of one grid step: L·2^-20, with a margin that keeps rounded gradients within their norm. */
export function gradientStep(lipschitz: number): number {
  return (lipschitz * (1 + 2 ** -30)) / unitOnGrid;
}

/** w ↦ the sum over units of their gradients at w, on the grid. Private: whoever calls it seals what comes of it. */
export type GridSums = (weights: Float64Array) => Float64Array;

/**
 * Returns w ↦ the sealed sum over units of their gradients at w, each cut toward zero to the grid: its norm cannot grow, and is checked. In the norm of
 * the features, that is: ℓ2, or the largest coordinate.
 * Sensitivity 2^20 under add-or-remove-one, 2^21 under replace-one.
 */
export function gradientSums(
  problem: ConvexProblem,
  rows: UnitRows,
): (weights: Float64Array) => Exact<Float64Array> {
  const sums = gridSums(problem, rows);
  return (weights) => seal(sums(weights));
}

/** {@link gradientSums} before they are sealed, for this folder alone. */
export function gridSums(problem: ConvexProblem, rows: UnitRows): GridSums {
  const { loss, reach, labels, lipschitz } = constantsOf(problem);
  const steepest = loss.steepest(reach, labels);
  const step = gradientStep(lipschitz);
  const units = rows.starts.length - 1;
  const { dimension } = rows;
  const scratch = new Float64Array(dimension);
  const sum = (weights: Float64Array): Float64Array => {
    const total = new Float64Array(dimension);
    for (let unit = 0; unit < units; unit += 1) {
      scratch.fill(0);
      addUnitGradient({ rows, loss, steepest }, unit, weights, scratch);
      if (toGrid(scratch, step, problem.features.norm)) add(total, scratch);
    }
    return total;
  };
  if (!loss.linear) return sum;
  // The gradient of a linear loss is the same everywhere.
  let known: Float64Array | undefined;
  return (weights) => {
    known ??= sum(weights);
    return known;
  };
}

/** Cuts a vector to the grid in place. Returns whether its norm is within the bound: else the unit counts 0. */
function toGrid(vector: Float64Array, step: number, norm: "l2" | "max"): boolean {
  let square = 0;
  for (let j = 0; j < vector.length; j += 1) {
    const x = Math.trunc(doubleAt(vector, j) / step);
    if (!(Math.abs(x) <= unitOnGrid)) return false;
    vector[j] = x;
    square += x * x;
  }
  return norm === "max" || square <= unitOnGrid * unitOnGrid;
}

function add(total: Float64Array, vector: Float64Array): void {
  for (let j = 0; j < total.length; j += 1) total[j] = doubleAt(total, j) + doubleAt(vector, j);
}
