import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { checkPositiveDelta } from "../search/checks.ts";
import { checkRuns, type Runs } from "./optimal-composition.ts";

/**
 * Advanced composition by way of zCDP: k mechanisms that are (ε, δ)-DP are together (½kε² + ε·√(2k·ln(1/δ′)), kδ + δ′)-DP: each is
 * δ-approximate (ε²/2)-zCDP, ρ adds up, and ρ-zCDP is (ρ + 2√(ρ·ln(1/δ′)), δ′)-DP. Rounded up.
 * The textbook form: {@link optimalCompositionEpsilon} is never larger, and is what is used.
 * Source: Bun & Steinke 2016, Prop. 1.3, 1.4 and Lemma 8.8 (A Thm 2.6 and 3.1).
 * Direction: upper
 * Errors: parameter.invalid outside the domains.
 * @example advancedCompositionZcdp({ epsilon: 0.1, delta: 0, count: 1000 }, 1e-6).epsilon // => 21.6226
 */
export function advancedCompositionZcdp(
  runs: Runs,
  slack: number,
): { readonly epsilon: number; readonly delta: number } {
  checkRuns(runs);
  const cost = -Math.log(checkPositiveDelta(slack, "slack"));
  const { epsilon, delta, count } = runs;
  const square = 0.5 * count * epsilon * epsilon;
  return {
    epsilon: (square + epsilon * Math.sqrt(2 * count * cost)) * (1 + 2e-15),
    delta: Math.min(1, addUp(multiplyUp(delta, count), slack)),
  };
}
