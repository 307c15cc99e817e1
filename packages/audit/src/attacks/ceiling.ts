import { invalidParameter, type Rational, toDouble } from "@lethe/core";

/**
 * How often anybody can guess which of K equally likely data sets, each a neighbour of each other, an (ε, δ)-private answer came from:
 * at most (e^ε + (K − 1)·δ) / (e^ε + K − 1). For K = 2 it is ½ + ½·(e^ε − 1 + 2δ)/(e^ε + 1), the membership advantage's.
 *
 * Let A_i be the answers at which i is guessed. (K − 1)·P_i(A_i) ≤ e^ε·Σ_{j≠i} P_j(A_i) + (K − 1)·δ; summed over i, where the A_i
 * share out all answers, (K − 1)·S ≤ e^ε·(K − S) + K·(K − 1)·δ for S = Σ P_i(A_i), and the chance to be right is S/K.
 * Source: by the definition; K = 2 is Kairouz, Oh & Viswanath 2015.
 * Direction: up.
 * Errors: parameter.invalid unless ε, δ ≥ 0 and K ≥ 2 is whole.
 * @example guessingCeiling(ratio(1n), zero, 2) // => 0.7310585786
 */
export function guessingCeiling(epsilon: Rational, delta: Rational, candidates: number): number {
  if (!(Number.isSafeInteger(candidates) && candidates >= 2)) {
    throw invalidParameter("candidates", candidates, "a whole number ≥ 2");
  }
  const [e, d] = [toDouble(epsilon, "up"), toDouble(delta, "up")];
  if (!(e >= 0 && d >= 0)) throw invalidParameter("epsilon and delta", `${e}, ${d}`, "≥ 0");
  if (e > 700) return 1;
  const odds = Math.exp(e);
  // The relative error of four operations and an exponential is below 2e-15 here.
  return Math.min(1, ((odds + (candidates - 1) * d) / (odds + candidates - 1)) * (1 + 4e-15));
}
