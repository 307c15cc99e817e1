import { multiply, type Rational, ratio } from "../numeric/rational.ts";

/**
 * μ-Gaussian DP implies (μ²/2)-zCDP: ρ = Δ₂²/(2σ²). Nothing is rounded.
 * Source: Bun & Steinke 2016, Prop. 1.6 (A Thm 2.7, C Prop 2).
 * Direction: exact.
 * @example rhoFromGaussian(ratio(1n, 4n)) // => 1/8
 */
export function rhoFromGaussian(muSquared: Rational): Rational {
  return multiply(muSquared, ratio(1n, 2n));
}
