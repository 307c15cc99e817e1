import type { PureLoss, ZcdpLoss } from "../losses/measures/loss.ts";
import { multiply, ratio, zero } from "../numeric/rational.ts";

/**
 * ε-DP implies (ε²/2)-zCDP. Nothing is rounded.
 * Source: Bun & Steinke 2016, Prop. 1.4 (A Thm 2.6).
 * Direction: upper.
 * @example zcdpFromPure({ measure: "pure", epsilon: ratio(1n, 2n) }).rho // => 1/8
 */
export function zcdpFromPure(loss: PureLoss): ZcdpLoss {
  return {
    measure: "zcdp",
    rho: multiply(multiply(loss.epsilon, loss.epsilon), ratio(1n, 2n)),
    delta: zero,
  };
}
