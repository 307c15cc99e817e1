import { invalidParameter } from "../../errors/lethe-error.ts";
import { multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";

/** π/8 = 0.39269908…, rounded up. */
const piOverEight = ratio(3927n, 10_000n);

/**
 * ε-bounded range implies μ-Gaussian DP with μ² = (π/8)·ε². Two laws of bounded range are told apart no better than two coins whose log-odds
 * differ by ε, and Φ⁻¹ of a coin's chance grows by at most √(2π)/4 for each unit of log-odds: 4Φ(z)(1 − Φ(z)) ≤ exp(−z²/2), because a disc of
 * radius z lies in the square of half-width z. So selections compose with Gaussian noise exactly as more Gaussian noise. Rounded up.
 * Source: Dong, Roth & Su 2022 (arXiv 1905.02383), Def. 2.6, of Dong, Durfee & Rogers 2020 (arXiv 1909.13830), Def. 3.1;
 * proof: ../../mechanisms/declared/declared.proof.md
 * Direction: upper
 * Errors: parameter.invalid unless ε ≥ 0.
 * @example gaussianFromBoundedRange(ratio(1n)) // => 3927/10000
 */
export function gaussianFromBoundedRange(epsilon: Rational): Rational {
  if (!(epsilon.num >= 0n)) throw invalidParameter("epsilon", toText(epsilon), "≥ 0");
  return multiply(piOverEight, multiply(epsilon, epsilon));
}
