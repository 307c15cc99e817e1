import { computeSealed, type Exact } from "@lethe/core/mechanisms";
import { doubleAt, intAt } from "@lethe/core/numeric";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { addUnitGradient } from "./unit-gradient.ts";
import { type UnitPlaces, unitPlaces } from "./unit-places.ts";
import type { UnitRows } from "./unit-rows.ts";

/** A unit's gradient is integers on a grid of L·2^-20, of norm at most 2^20, so that sums are exact in any order. */
export const unitOnGrid: number = 2 ** 20;

/** The value of one grid step: L·2^-20, with a margin that keeps rounded gradients within their norm. */
export function gradientStep(lipschitz: number): number {
  return (lipschitz * (1 + 2 ** -30)) / unitOnGrid;
}

/** w ↦ the sum over units of their gradients at w, on the grid. It holds rows, and stands in an Exact alone. */
export type GridSums = (weights: Float64Array) => Float64Array;

/**
 * Returns w ↦ the sealed sum over units of their gradients at w, each cut toward zero to the grid: its norm cannot grow, and is checked. In the norm of
 * the features, that is: ℓ2, or the largest coordinate.
 * Sensitivity 2^20 under add-or-remove-one, 2^21 under replace-one.
 */
export function gradientSums(
  problem: ConvexProblem,
  rows: Exact<UnitRows>,
): (weights: Float64Array) => Exact<Float64Array> {
  const sums = computeSealed(rows, (units) => gridSums(problem, units));
  return (weights) => computeSealed(sums, (sumAt) => sumAt(weights));
}

/** {@link gradientSums} of rows within a seal, for this folder alone. */
export function gridSums(problem: ConvexProblem, rows: UnitRows): GridSums {
  const { loss, reach, labels, lipschitz } = constantsOf(problem);
  const steepest = loss.steepest(reach, labels);
  const step = gradientStep(lipschitz);
  const units = rows.starts.length - 1;
  const touched = unitPlaces(rows);
  const scratch = new Float64Array(problem.dimension);
  const cut = { step, norm: problem.features.norm };
  const sum = (weights: Float64Array): Float64Array => {
    const total = new Float64Array(problem.dimension);
    for (let unit = 0; unit < units; unit += 1) {
      addUnitGradient({ rows, loss, steepest }, unit, weights, scratch);
      moveOnGrid(scratch, touched, unit, cut, total);
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

/** How a unit's vector is cut: to whole numbers of a step, of this norm at most. */
interface Cut {
  readonly step: number;
  readonly norm: "l2" | "max";
}

/** Cuts a unit's vector toward zero to the grid, and moves it to the sum if its norm is within the bound: else the unit counts 0. Leaves 0 behind. */
function moveOnGrid(
  vector: Float64Array,
  { places, from }: UnitPlaces,
  unit: number,
  { step, norm }: Cut,
  total: Float64Array,
): void {
  const [first, end] = [intAt(from, unit), intAt(from, unit + 1)];
  let square = 0;
  let fits = true;
  for (let i = first; i < end; i += 1) {
    const place = intAt(places, i);
    const x = Math.trunc(doubleAt(vector, place) / step);
    // NaN is not within the bound either.
    if (!(Math.abs(x) <= unitOnGrid)) fits = false;
    vector[place] = x;
    square += x * x;
  }
  if (norm === "l2" && !(square <= unitOnGrid * unitOnGrid)) fits = false;
  for (let i = first; i < end; i += 1) {
    const place = intAt(places, i);
    if (fits) total[place] = doubleAt(total, place) + doubleAt(vector, place);
    vector[place] = 0;
  }
}
