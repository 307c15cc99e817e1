import type { BitSource } from "../../entropy/bit-source.ts";
import type { EventOf } from "../../events/event.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import { multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { bernoulliExp } from "../../samplers/bernoulli-exp.ts";
import { uniformBelow } from "../../samplers/uniform-below.ts";
import { epsilonOf, gapsBelowBest, rateFor, type ScoreSensitivity, scoreRange } from "../scores/scores.ts";
import type { Selection } from "../scores/selection.ts";

export type PermuteAndFlip = Selection<"permute-and-flip@1", EventOf<"pure">>;

/** The two draws that the mechanism makes. */
export interface FlipCoins {
  /** True with probability e^{−rate·gap}. */
  accepts(gap: bigint): boolean;
  /** A uniform integer in [0, n). */
  below(n: number): number;
}

/**
 * The program itself: every candidate is accepted with e^{−rate·gap} by its own coin, and one of the accepted is chosen, each
 * alike. The first accepted in a uniformly random order is just that. All coins are flipped, so that the number of
 * flips tells nothing.
 */
export function permuteAndFlipWith(gaps: readonly bigint[], coins: FlipCoins): number {
  const accepted = [...gaps.entries()].flatMap(([at, gap]) => (coins.accepts(gap) ? [at] : []));
  return elementAt(accepted, coins.below(accepted.length));
}

/**
 * Permute-and-flip: never a worse expected score than the exponential mechanism at the same ε = rate·range, up to twice as
 * good. The same law as the noisy maximum with exponential noise. Proof: ./permute-and-flip.proof.md
 *
 * Source: McKenna & Sheldon 2020, Alg. 1, Thm 1; Ding et al. 2021
 * Direction: exact
 *
 * Errors: parameter.invalid unless rate > 0 and range ≥ 1.
 */
export function permuteAndFlip({
  rate,
  range,
}: {
  readonly rate: Rational;
  readonly range: bigint;
}): PermuteAndFlip {
  const epsilon = epsilonOf(rate, range);
  return {
    parameters: { mechanism: "permute-and-flip@1", rate: toText(rate), range: range.toString() },
    event: { kind: "pure", version: 1, epsilon: toText(epsilon), of: "permute-and-flip" },
    epsilon,
    choose(scores: readonly bigint[], bits: BitSource): number {
      return permuteAndFlipWith(gapsBelowBest(scores), {
        accepts: (gap) => bernoulliExp(multiply(rate, ratio(gap)), bits),
        below: (n) => Number(uniformBelow(BigInt(n), bits)),
      });
    },
  };
}

/**
 * Permute-and-flip that costs exactly ε. Errors: parameter.invalid unless ε > 0 and sensitivity ≥ 1.
 * @example permuteAndFlipFor({ epsilon: 1, sensitivity: 1n, monotone: true }).parameters.rate // => "1"
 */
export function permuteAndFlipFor({
  epsilon,
  ...sensitivity
}: ScoreSensitivity & { readonly epsilon: RationalInput }): PermuteAndFlip {
  const range = scoreRange(sensitivity);
  return permuteAndFlip({ rate: rateFor(rationalOf(epsilon, "epsilon"), range), range });
}
