import type { ApproximateLoss, PureLoss } from "../measures/loss.ts";
import { zero } from "../numeric/rational.ts";

/**
 * ε-DP is (ε, 0)-DP: by definition (Dwork & Roth 2014, Def. 2.4). Exact; nothing is rounded.
 * @example approximateFromPure({ measure: "pure", epsilon: one }) // => { measure: "approximate", epsilon: 1, delta: 0 }
 */
export function approximateFromPure(loss: PureLoss): ApproximateLoss {
  return { measure: "approximate", epsilon: loss.epsilon, delta: zero };
}
