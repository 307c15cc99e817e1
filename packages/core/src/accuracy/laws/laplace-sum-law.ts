import { invalidParameter } from "../../errors/lethe-error.ts";
import { doubleAt } from "../../numeric/elements/element-at.ts";
import { type Rational, toDouble } from "../../numeric/rational.ts";
import { smallestCertified } from "./smallest-certified.ts";

/**
 * P[Z₁ + … + Zₘ > q] for independent discrete Laplace noises of one scale and an integer q ≥ 0. With a = e^(−1/scale) each is a
 * difference of two geometric numbers, so the sum is N − N′ for negative binomials of m successes at 1 − a, and
 *   P[N − N′ > q] = Σᵢ₍ᵢ<ₘ₎ (1−a)ⁱ·a^(q+m−i) Σₗ₍ₗ≤ᵢ₎ C(q+m, i−l)·C(l+m−1, l)·(1−a)ᵐ·a^(2l)/(1−a²)^(m+l):
 * N > q + N′ means fewer than m successes in q + N′ + m trials; Vandermonde splits the binomial; all terms are positive.
 * Source: Chan, Shi & Song 2011 sum Laplace noises with a Chernoff bound; this is the law itself.
 * Direction: exact, in doubles (relative 1e-10 for m ≤ 64).
 * @example laplaceSumTail(1, 2, 0) // e^(−1/2)/(1 + e^(−1/2)) = 0.377…
 */
export function laplaceSumTail(terms: number, scale: number, q: number): number {
  const a = Math.exp(-1 / scale);
  const p = -Math.expm1(-1 / scale);
  const square = -Math.expm1(-2 / scale);
  const logA = -1 / scale;
  // mixed[l] = C(l+m−1, l)·pᵐ·a^(2l)/(1−a²)^(m+l), where p/(1−a²) = 1/(1+a); times p^l, taken out of pⁱ.
  const mixed = new Float64Array(terms);
  mixed[0] = (1 + a) ** -terms;
  for (let l = 1; l < terms; l++) {
    mixed[l] = (((doubleAt(mixed, l - 1) * (l + terms - 1)) / l) * (a * a * p)) / square;
  }
  // trials[j] = C(q+m, j)·pʲ·a^(q+m−j−l) is a binomial mass; its powers of a are kept in logarithms.
  const n = q + terms;
  let total = 0;
  let logBinomial = 0;
  for (let j = 0; j < terms; j++) {
    if (j > 0) logBinomial += Math.log(((n - j + 1) / j) * p);
    for (let l = 0; j + l < terms; l++)
      total += doubleAt(mixed, l) * Math.exp(logBinomial + logA * (n - j - l));
  }
  return total;
}

/**
 * The smallest integer q for which P[|Z₁ + … + Zₘ| > q] ≤ alpha is certain within the tail's rounding (1e-9 is set aside).
 * Errors: parameter.invalid unless 1 ≤ m ≤ 64.
 */
export function laplaceSumQuantile(terms: number, scale: Rational, alpha: Rational): bigint {
  if (!(Number.isSafeInteger(terms) && terms >= 1 && terms <= 64)) {
    throw invalidParameter("terms", terms, "an integer from 1 to 64");
  }
  const s = toDouble(scale, "up");
  const most = toDouble(alpha, "down") * (1 - 1e-9);
  const guess = s * (Math.sqrt(2 * terms * -Math.log(most)) - Math.log(most));
  return smallestCertified(guess, (q) => 2 * laplaceSumTail(terms, s, Number(q)) <= most);
}
