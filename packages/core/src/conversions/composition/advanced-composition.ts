import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { checkPositiveDelta } from "../search/checks.ts";
import { checkRuns, type Runs } from "./optimal-composition.ts";

/**
 * Advanced composition: k mechanisms that are (ε, δ)-DP are together (ε′, kδ + δ′)-DP for every slack 0 < δ′ < 1, with
 *   ε′ = √(2k·ln(1/δ′))·ε + kε(e^ε − 1).
 * Rounded up; +∞ where it exceeds every double. The textbook form: {@link optimalCompositionEpsilon} is never larger, and is
 * what is used.
 * Source: Dwork, Rothblum & Vadhan 2010, Thm III.3; Dwork & Roth 2014, Thm 3.20 (C Thm 1, Eq 6; E).
 * Direction: upper
 * Errors: parameter.invalid outside the domains.
 * @example advancedComposition({ epsilon: 0.1, delta: 0, count: 1000 }, 1e-6).epsilon // => 27.14
 */
export function advancedComposition(
  runs: Runs,
  slack: number,
): { readonly epsilon: number; readonly delta: number } {
  checkRuns(runs);
  const cost = -Math.log(checkPositiveDelta(slack, "slack"));
  const { epsilon, delta, count } = runs;
  const spread = Math.sqrt(2 * count * cost) * epsilon;
  const drift = count * epsilon * Math.expm1(epsilon);
  return {
    epsilon: epsilon === 0 ? 0 : (spread + drift) * (1 + 2e-15),
    delta: Math.min(1, addUp(multiplyUp(delta, count), slack)),
  };
}
