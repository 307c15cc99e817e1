import { invalidParameter } from "../../errors/lethe-error.ts";
import type { DominatingPair } from "../../losses/pld/pairs/dominating-pair.ts";
import { profilePair } from "../../losses/pld/pairs/profile-pair.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";

/**
 * The largest δ at ε′ of any mechanism of ε-bounded range: (1 − e^((ε′−ε)/2))²/(1 − e^(−ε)) for ε′ ≤ ε, then 0. Rounded up.
 * Source: Dong, Durfee & Rogers 2020 (arXiv 1909.13830), Lemma 3.2 with the best t = (ε + ε′)/2. Proof: ./declared.proof.md
 * Direction: exact
 * Errors: parameter.invalid unless 0 < ε ≤ 600 and ε′ ≥ 0.
 * @example boundedRangeDelta(1, 0) // => tanh(1/4) = 0.244918662…
 */
export function boundedRangeDelta(epsilon: number, at: number): number {
  if (!(epsilon > 0 && epsilon <= 600)) throw invalidParameter("epsilon", epsilon, "above 0, at most 600");
  if (!(at >= 0)) throw invalidParameter("epsilon", at, "≥ 0");
  if (at >= epsilon) return 0;
  const gap = Math.expm1((at - epsilon) / 2);
  return Math.min(1, ((gap * gap) / -Math.expm1(-epsilon)) * (1 + 1e-14));
}

/**
 * A pair that dominates every mechanism of ε-bounded range, also under composition with any others: that of the largest profile
 * such a mechanism can have. No one mechanism has it all, so it is not tight.
 */
export function boundedRangePair(epsilon: number): DominatingPair {
  if (epsilon === 0) return twoPointPair(0, 0);
  return profilePair((at) => boundedRangeDelta(epsilon, at), `bounded-range(${epsilon})`);
}
