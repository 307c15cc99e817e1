import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { checkRuns, type Runs } from "./optimal-composition.ts";

/**
 * Basic composition: k mechanisms that are (ε, δ)-DP are together (kε, kδ)-DP; unequal ones add up. Rounded up; δ at most 1.
 * The textbook form: {@link optimalCompositionEpsilon} is never larger, and is what is used.
 * Source: Dwork & Roth 2014, Thm 3.16 and App. B (A Fact 1.2, C Thm 1, C Lemma 4, D Thm 3.14, E).
 * Direction: upper
 * Errors: parameter.invalid outside the domains.
 * @example basicComposition([{ epsilon: 0.1, delta: 0, count: 100 }]) // => { epsilon: 10.000000000000002, delta: 0 }
 */
export function basicComposition(runs: readonly Runs[]): {
  readonly epsilon: number;
  readonly delta: number;
} {
  let [epsilon, delta] = [0, 0];
  for (const each of runs) {
    checkRuns(each);
    epsilon = addUp(epsilon, multiplyUp(each.epsilon, each.count));
    delta = addUp(delta, multiplyUp(each.delta, each.count));
  }
  return { epsilon, delta: Math.min(1, delta) };
}
