import type { EventOf } from "../../events/event.ts";
import { type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import { type Rational, toText } from "../../numeric/rational.ts";
import { chooseByExp } from "../../samplers/choose-by-exp.ts";
import { epsilonOf, gapsBelowBest, rateFor, type ScoreSensitivity, scoreRange } from "../scores/scores.ts";
import type { Selection } from "../scores/selection.ts";

export type Exponential = Selection<"exponential@1", EventOf<"bounded-range">>;

/**
 * Chooses candidate i with probability exactly ∝ e^{rate·score_i}. Loss: (rate·range)-bounded range, hence ε = rate·range
 * and zCDP ρ = ε²/8. (A §2.2 writes e^{ε·s} with Δs ≤ 1: rate ε, range 2, so 2ε.) Proof: ./exponential.proof.md
 *
 * Source: McSherry & Talwar 2007, Thm 6; Dong, Durfee & Rogers 2020, Lemma 3.3; A §2.2, D, E
 * Direction: exact
 *
 * Errors: parameter.invalid unless rate > 0 and range ≥ 1.
 */
export function exponential({
  rate,
  range,
}: {
  readonly rate: Rational;
  readonly range: bigint;
}): Exponential {
  const epsilon = epsilonOf(rate, range);
  return {
    parameters: { mechanism: "exponential@1", rate: toText(rate), range: range.toString() },
    event: { kind: "bounded-range", version: 1, epsilon: toText(epsilon), of: "exponential" },
    epsilon,
    choose: (scores, bits) => chooseByExp({ rate, gaps: gapsBelowBest(scores) }).draw(bits),
  };
}

/**
 * The exponential mechanism that costs exactly ε: probability ∝ e^{ε·score/(2Δ)}, or e^{ε·score/Δ} where all scores move the
 * same way. Errors: parameter.invalid unless ε > 0 and sensitivity ≥ 1.
 * @example exponentialFor({ epsilon: 1, sensitivity: 1n }).choose([3n, 10n, 9n], bits) // 1, most likely
 */
export function exponentialFor({
  epsilon,
  ...sensitivity
}: ScoreSensitivity & { readonly epsilon: RationalInput }): Exponential {
  const range = scoreRange(sensitivity);
  return exponential({ rate: rateFor(rationalOf(epsilon, "epsilon"), range), range });
}
