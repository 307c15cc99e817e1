import type { ApproximateLoss, PureLoss } from "../losses/measures/loss.ts";
import { zero } from "../numeric/rational.ts";

/**
 * ε-DP is (ε, 0)-DP, by definition. Nothing is rounded.
 * Source: Dwork & Roth 2014, Def. 2.4 (A Def 1.1, C Def 1, D Def 2.4).
 * Direction: exact.
 * @example approximateFromPure({ measure: "pure", epsilon: one }) // => { measure: "approximate", epsilon: 1, delta: 0 }
 */
export function approximateFromPure(loss: PureLoss): ApproximateLoss {
  return { measure: "approximate", epsilon: loss.epsilon, delta: zero };
}
