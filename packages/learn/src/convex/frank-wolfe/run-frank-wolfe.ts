import type { BitSource } from "@lethe/core";
import { chooseSealed, exponential } from "@lethe/core/mechanisms";
import { doubleAt, parseRational } from "@lethe/core/numeric";
import { constantsOf } from "../problem/convex-problem.ts";
import { plannedAgain } from "../report/planned-again.ts";
import { unitOnGrid } from "../rows/gradient-sums.ts";
import { type RunRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { vertexScores } from "../rows/vertex-scores.ts";
import { type FrankWolfePlan, planFrankWolfe } from "./plan-frank-wolfe.ts";

/**
 * Runs a paid plan on rows, which stay sealed, and returns weights of at most T entries that are not 0, which may be released. Each step releases one vertex of the ball.
 * Source: Talwar, Thakurta & Zhang 2015; proof: ./frank-wolfe.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runFrankWolfe(planFrankWolfe(request), { features, labels }, secureEntropy()) // => Float64Array [0, 0.41, 0], say
 */
export function runFrankWolfe(untrusted: FrankWolfePlan, rows: RunRows, bits: BitSource): Float64Array {
  const { request, steps, rate } = plannedAgain(untrusted, planFrankWolfe);
  const { problem } = request;
  const { radius } = constantsOf(problem);
  const moved = { "add-or-remove-one": 2n, "replace-one": 4n }[request.adjacency] * BigInt(unitOnGrid);
  const selection = exponential({ rate: parseRational(rate), range: moved });
  const scores = vertexScores(problem, sealedUnitRows(problem, rows));
  const weights = new Float64Array(problem.dimension);
  for (let step = 0; step < steps; step += 1) {
    const vertex = chooseSealed(selection, scores(weights), bits);
    const share = 2 / (step + 2);
    for (let j = 0; j < weights.length; j += 1) weights[j] = doubleAt(weights, j) * (1 - share);
    const place = vertex >> 1;
    weights[place] = doubleAt(weights, place) + share * (vertex % 2 === 0 ? radius : -radius);
  }
  return weights;
}
