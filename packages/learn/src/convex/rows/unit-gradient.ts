import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { ScalarLoss } from "../losses/scalar-loss.ts";
import { addTimes, innerProduct } from "./row-vectors.ts";
import type { UnitRows } from "./unit-rows.ts";

/** A unit's rows beyond this number do not count, so that what rounding does to their sum is bounded by a public constant. */
export const mostRows: number = 2 ** 10;

/**
 * Adds to `into` the gradient of one unit's loss, the mean of the losses of its rows: so a unit counts once however many rows it has, and L and β of a row
 * hold for it as well. Slopes are clamped to the steepest, which rounding alone could pass.
 */
export function addUnitGradient(
  { rows, loss, steepest }: { readonly rows: UnitRows; readonly loss: ScalarLoss; readonly steepest: number },
  unit: number,
  weights: Float64Array,
  into: Float64Array,
): void {
  const first = elementAt(rows.starts, unit);
  const end = Math.min(elementAt(rows.starts, unit + 1), first + mostRows);
  const { features, labels } = rows;
  for (let row = first; row < end; row += 1) {
    const slope = loss.slope(innerProduct(features, row, weights), doubleAt(labels, row));
    addTimes(features, row, Math.min(steepest, Math.max(-steepest, slope)) / (end - first), into);
  }
}
