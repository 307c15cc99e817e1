import { doubleAt } from "@lethe/core/numeric";
import type { GridVector } from "./clip-to-grid.ts";
import type { ClippedSums } from "./clipped-gradients.ts";

/**
 * Adds up units' vectors: exact below 2^33 units, and so the same in any order and however the units are shared out.
 * @param length the number of weights
 */
export function addUp(length: number, units: Iterable<GridVector>): ClippedSums {
  const sums = new Float64Array(length);
  let unclipped = 0;
  for (const unit of units) {
    for (let i = 0; i < length; i += 1) sums[i] = doubleAt(sums, i) + doubleAt(unit.integers, i);
    if (unit.unclipped) unclipped += 1;
  }
  return { sums, unclipped };
}
