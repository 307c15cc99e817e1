import { checkEpsilon } from "./search/checks.ts";

/**
 * ε-DP implies ρ-zCDP with ρ = ε·tanh(ε/2), and with no smaller one. With h = ε/2 and u = (α−1)ε, randomized response, which
 * dominates, has (α−1)·D_α = log cosh(u + h) − log cosh(h). Since log cosh(√y) is concave in y, its tangent at h² gives
 * at most ((u+h)² − h²)·tanh(h)/(2h) = α(α−1)·ε·tanh(ε/2); as α → 1, D_α/α tends to ε·tanh(ε/2). Below ε²/2 everywhere. Rounded up.
 * Source: Bun & Steinke 2016, Prop. 1.4 (ε²/2) and Prop. 3.3; the tangent bound is Jaakkola & Jordan's 2000 (A Thm 2.6).
 * Direction: exact
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example tightRhoFromPure(1) // => 0.46211715726
 */
export function tightRhoFromPure(epsilon: number): number {
  return checkEpsilon(epsilon) * Math.tanh(epsilon / 2) * (1 + 1e-15);
}

/**
 * ε-bounded range implies (ε²/8)-zCDP: log E_Q[(P/Q)^α] is 0 at α = 0 and 1 and its second derivative, a variance of a variable
 * of range ε, is at most ε²/4, so at α it is at most α(α−1)ε²/8. Rounded up.
 * Source: Cesar & Rogers 2021, Lemma 3.4; Dong, Durfee & Rogers 2020.
 * Direction: upper
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example rhoFromBoundedRange(1) // => 0.125
 */
export function rhoFromBoundedRange(epsilon: number): number {
  return ((checkEpsilon(epsilon) * epsilon) / 8) * (1 + 1e-15);
}
