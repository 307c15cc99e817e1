import { checkDelta } from "./search/checks.ts";
import { crossing } from "./search/least-epsilon.ts";

/**
 * Returns the least ε at which a tail function ε ↦ P[L > ε] is at most δ: a mechanism whose privacy loss L exceeds ε with probability at most δ,
 * for all neighbours and both directions, is (ε, δ)-DP. The tail must not increase. Sufficient, not necessary: δ(ε) = E[(1 − e^(ε−L))₊] is
 * smaller than the tail. +∞ where the tail never comes down to δ.
 * Source: Dwork & Roth 2014, Lemma 3.17 (B Claim 1.2).
 * Direction: upper
 * Errors: parameter.invalid unless 0 ≤ δ < 1.
 * @example epsilonFromLossTail((x) => Math.exp(-x), 0.01) // => 4.60517
 */
export function epsilonFromLossTail(tail: (epsilon: number) => number, delta: number): number {
  return crossing(tail, checkDelta(delta), 1).holds;
}
