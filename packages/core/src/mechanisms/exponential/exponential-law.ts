import { multiply, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { expWeight } from "../../samplers/exp-weights.ts";
import { gapsBelowBest } from "../scores/scores.ts";

/**
 * ln of the probability with which each candidate is chosen: −rate·gap_i − ln Σ_j e^{−rate·gap_j}, right to a relative 1e-9
 * at any scores (differences of 1e18 as of 1). Never NaN; at most −1.8e308 where a double cannot hold the exponent. What it
 * shows are the scores: never release it.
 *
 * Source: McSherry & Talwar 2007, Def. 2; D (the exponential mechanism)
 * Direction: exact
 *
 * Errors: parameter.invalid for no candidates or scores that are not bigints.
 * @example exponentialLogProbabilities([10n ** 18n, 0n], ratio(1n)) // => [0, -1e18]
 */
export function exponentialLogProbabilities(scores: readonly bigint[], rate: Rational): number[] {
  const gaps = gapsBelowBest(scores);
  const rateDouble = toDouble(rate, "down");
  // ln Σ = ln(1 + rest), where rest leaves out one best candidate: right even where the others are all but weightless.
  let rest = 0;
  let best = 0;
  for (const gap of gaps) {
    if (gap === 0n) best += 1;
    else rest += expWeight(gap, rate, rateDouble);
  }
  const logTotal = Math.log1p(best - 1 + rest);
  return gaps.map((gap) => 0 - toDouble(multiply(rate, ratio(gap)), "down") - logTotal);
}
