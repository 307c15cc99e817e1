import { LetheError } from "../../errors/lethe-error.ts";
import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { checkPositiveDelta } from "../search/checks.ts";
import { checkRuns, type Runs } from "./optimal-composition.ts";

/** (√6 − √2)² = 8 − 4√3, rounded down. */
const limit = 1.07179676972449;

/**
 * Advanced composition without its second term: k mechanisms that are (ε, δ)-DP are together (ε·√(6k·ln(1/δ′)), kδ + δ′)-DP, where
 *   k·(e^ε − 1)² ≤ (8 − 4√3)·ln(1/δ′),
 * which is when the dropped term of {@link advancedComposition} is at most (√6 − √2)/√2 of the first. Outside it would promise too much
 * privacy, and is refused. The textbook form: {@link optimalCompositionEpsilon} is never larger, and is what is used.
 * Source: Dwork, Rothblum & Vadhan 2010, Thm III.3 (A Thm 3.1).
 * Direction: upper
 * Errors: parameter.invalid outside the domains, the condition above included.
 * @example advancedCompositionSix({ epsilon: 0.01, delta: 0, count: 1000 }, 1e-6).epsilon // => 2.8792
 */
export function advancedCompositionSix(
  runs: Runs,
  slack: number,
): { readonly epsilon: number; readonly delta: number } {
  checkRuns(runs);
  const cost = -Math.log(checkPositiveDelta(slack, "slack"));
  const { epsilon, delta, count } = runs;
  const growth = Math.expm1(epsilon);
  if (!(count * growth * growth * (1 + 1e-14) <= limit * cost)) {
    const domain = "such that k·(e^ε − 1)² ≤ (8 − 4√3)·ln(1/slack)";
    throw new LetheError(
      "parameter.invalid",
      `${count} runs at ε = ${epsilon} are outside the domain of √(6k·ln(1/δ))·ε`,
      {
        fix: "use advancedComposition, or better optimalCompositionEpsilon, which hold everywhere",
        fields: { name: "count", domain },
      },
    );
  }
  return {
    epsilon: epsilon * Math.sqrt(6 * count * cost) * (1 + 2e-15),
    delta: Math.min(1, addUp(multiplyUp(delta, count), slack)),
  };
}
