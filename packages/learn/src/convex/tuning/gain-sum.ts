import { computeSealed, type Exact } from "@lethe/core/mechanisms";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { innerProduct } from "../rows/row-vectors.ts";
import { mostRows } from "../rows/unit-gradient.ts";
import type { UnitRows } from "../rows/unit-rows.ts";

/** A unit's gain is a whole number of at most this size. */
export const mostGain: number = 2 ** 10;

/**
 * The sealed sum over units of their gain: how much less weights lose on them than the weights 0, in steps of ℓ·reach·2^-10, cut toward zero and clamped.
 * A unit that comes or goes moves it by at most 2^10. The larger, the better the weights.
 */
export function gainSum(
  problem: ConvexProblem,
  rows: Exact<UnitRows>,
  weights: Float64Array,
): Exact<Float64Array> {
  return computeSealed(rows, (units) => Float64Array.of(totalGain(problem, units, weights)));
}

function totalGain(problem: ConvexProblem, rows: UnitRows, weights: Float64Array): number {
  const { loss, reach, labels } = constantsOf(problem);
  const step = (loss.steepest(reach, labels) * reach) / mostGain;
  const { features, starts } = rows;
  let total = 0;
  for (let unit = 0; unit < starts.length - 1; unit += 1) {
    const first = elementAt(starts, unit);
    const end = Math.min(elementAt(starts, unit + 1), first + mostRows);
    let gain = 0;
    for (let row = first; row < end; row += 1) {
      const y = doubleAt(rows.labels, row);
      gain += loss.value(0, y) - loss.value(innerProduct(features, row, weights), y);
    }
    const cut = Math.trunc(gain / (end - first) / step);
    if (cut >= -mostGain) total += Math.min(mostGain, cut);
    else total -= mostGain;
  }
  return total;
}
