import { computeSealed, type Exact } from "@lethe/core/mechanisms";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { gridSums } from "./gradient-sums.ts";
import type { UnitRows } from "./unit-rows.ts";

/**
 * Returns w ↦ the sealed scores of the vertices +e₁, −e₁, +e₂, … of the ℓ1 ball: how far the sum of gradients at w falls toward each, on its grid.
 * A unit moves each score by at most 2^20 when it comes or goes.
 */
export function vertexScores(
  problem: ConvexProblem,
  rows: Exact<UnitRows>,
): (weights: Float64Array) => Exact<readonly bigint[]> {
  const sums = computeSealed(rows, (units) => gridSums(problem, units));
  return (weights) =>
    computeSealed(sums, (sumAt) => [...sumAt(weights)].flatMap((x) => [BigInt(-x), BigInt(x)]));
}
