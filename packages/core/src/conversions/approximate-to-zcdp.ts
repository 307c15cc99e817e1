import type { ApproximateLoss, ZcdpLoss } from "../losses/measures/loss.ts";
import { multiply, ratio } from "../numeric/rational.ts";

/**
 * (ε, δ)-DP implies δ-approximate (ε²/2)-zCDP. Outside an event of probability δ the mechanism is ε-DP.
 * With δ = 0 this is "ε-DP implies (ε²/2)-zCDP". Nothing is rounded.
 * Source: Bun & Steinke 2016, Prop. 3.3 with Lemma 8.8.
 * Direction: upper.
 * @example zcdpFromApproximate({ measure: "approximate", epsilon: ratio(1n, 2n), delta: zero }).rho // => 1/8
 */
export function zcdpFromApproximate(loss: ApproximateLoss): ZcdpLoss {
  return {
    measure: "zcdp",
    rho: multiply(multiply(loss.epsilon, loss.epsilon), ratio(1n, 2n)),
    delta: loss.delta,
  };
}
