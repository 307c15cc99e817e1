import { epsilonGrid } from "../../conversions/search/loss-grid.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import { sqrtBracket } from "../../numeric/bracket.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import {
  compare,
  divide,
  floorTo,
  multiply,
  type Rational,
  ratio,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { type Exponential, exponentialFor } from "../exponential/exponential.ts";
import { gapsBelowBest, type ScoreSensitivity } from "../scores/scores.ts";

/** k candidates by their scores, the best first. */
export interface TopK {
  readonly k: number;
  /** The single choice that is repeated. */
  readonly each: Exponential;
  /** k choices of bounded range: pure k·ε, zCDP k·ε²/8 for the ε of each. */
  readonly event: EventOf<"repeat">;
  /**
   * k different indices, in the order they were chosen. O(k·m) work, whatever the scores. Errors: parameter.invalid for
   * fewer than k candidates or scores that are not bigints.
   */
  choose(scores: readonly bigint[], bits: BitSource): number[];
}

/** The budget of k choices together: ε as pure DP, or ρ as zCDP (a larger ε for each choice, where k is large). */
export type TopKBudget = { readonly epsilon: Rational } | { readonly rho: Rational };

const mostChosen = 2 ** 20;

/**
 * Peeling: the exponential mechanism k times, each time without those chosen before. The same law, order included, as adding
 * Gumbel noise once to all scores and reading off the k largest, so it is the one-shot mechanism too. Each choice costs ε/k,
 * or √(8ρ/k). Proof: ./top-k.proof.md
 *
 * Source: Durfee & Rogers 2019, Lemma 4.2; Bhaskar, Laxman, Smith & Thakurta 2010; Dong, Durfee & Rogers 2020
 * Direction: exact
 *
 * Errors: parameter.invalid unless k is an integer from 1 to 2^20, the budget > 0 and sensitivity ≥ 1.
 * @example topKFor({ k: 3, budget: { epsilon: ratio(3n) }, sensitivity: 1n, monotone: true }).each.parameters.rate // => "1"
 */
export function topKFor({
  k,
  budget,
  ...sensitivity
}: ScoreSensitivity & { readonly k: number; readonly budget: TopKBudget }): TopK {
  if (!(Number.isInteger(k) && k >= 1 && k <= mostChosen)) {
    throw invalidParameter("k", k, `an integer from 1 to ${mostChosen}`);
  }
  const each = exponentialFor({ epsilon: epsilonEach(k, budget), ...sensitivity });
  return {
    k,
    each,
    event: {
      kind: "repeat",
      version: 1,
      count: k.toString(),
      event: { ...each.event, of: "top-k" },
    },
    choose(scores, bits) {
      gapsBelowBest(scores);
      if (k > scores.length)
        throw invalidParameter("k", k, `at most the number of candidates, ${scores.length}`);
      const left = [...scores.keys()];
      const chosen: number[] = [];
      while (chosen.length < k) {
        const at = each.choose(
          left.map((index) => elementAt(scores, index)),
          bits,
        );
        chosen.push(...left.splice(at, 1));
      }
      return chosen;
    },
  };
}

function epsilonEach(k: number, budget: TopKBudget): Rational {
  const count = ratio(BigInt(k));
  if ("epsilon" in budget) return divide(budget.epsilon, count);
  const { rho } = budget;
  if (!(compare(rho, zero) > 0)) throw invalidParameter("rho", toText(rho), "> 0");
  // Rounded down, so that k·ε²/8 ≤ ρ; finer where ρ is so small that 2^−40 could not hold the root.
  for (let bits = 64, grid = epsilonGrid; ; bits *= 2, grid <<= BigInt(bits)) {
    const root = floorTo(sqrtBracket(divide(multiply(ratio(8n), rho), count), bits + 64).lo, grid);
    if (root.num > 0n) return root;
  }
}
