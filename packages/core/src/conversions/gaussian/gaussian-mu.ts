import { invalidParameter } from "../../errors/lethe-error.ts";
import { checkEpsilon, checkPositiveDelta } from "../search/checks.ts";
import { gaussianDelta } from "./gaussian-profile.ts";

/**
 * The largest μ = Δ₂/σ at which a Gaussian mechanism is (ε, δ)-DP; σ = Δ₂/μ is the smallest noise. Rounded down.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8 and Alg. 1 (the exact form of A Thm 2.5).
 * Direction: lower
 * Errors: parameter.invalid unless ε ≥ 0 and 0 < δ < 1.
 * @example 1 / gaussianMu(1, 1e-5) // => 3.73063163482
 */
export function gaussianMu(epsilon: number, delta: number): number {
  checkEpsilon(epsilon);
  checkPositiveDelta(delta);
  const holds = (mu: number): boolean => gaussianDelta(mu, epsilon).upper <= delta;
  let [low, high] = [0, 1];
  for (; holds(high); high *= 2) low = high;
  for (let middle = high / 2; low === 0; middle /= 2) {
    if (holds(middle)) low = middle;
    else high = middle;
    if (middle < 1e-300) throw invalidParameter("delta", delta, "large enough for a finite σ");
  }
  while (high - low > 2 ** -46 * high) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
