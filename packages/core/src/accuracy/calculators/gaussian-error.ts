import { gaussianMu } from "../../conversions/gaussian/gaussian-mu.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { checkChance, checkPositive, checkWhole } from "./checks.ts";

/** d numbers, each with independent real Gaussian noise; the largest error may exceed what is said with chance `failure`. */
export interface GaussianVector {
  readonly dimension: number;
  readonly failure: number;
}

/** The t with P[max of d |N(0,1)| > t] = η. */
function exactQuantile({ dimension, failure }: GaussianVector): number {
  const each = -Math.expm1(Math.log1p(-checkChance("failure", failure)) / checkWhole("dimension", dimension));
  return -ndtri(each / 2);
}

/**
 * Returns the error that the largest of d errors of real Gaussian noise exceeds with chance η: σ·Φ⁻¹(1 − p/2), p = 1 − (1−η)^(1/d), exact for
 * independent coordinates. Rounded up.
 * Source: A Fact 2.8 as corrected (its bound drops the √ln(1/δ) of σ), with the exact tail; B Lemma 4.1.
 * Direction: exact
 * Errors: parameter.invalid unless σ > 0, d ≥ 1 is whole and 0 < η < 1.
 * @example gaussianMaxError({ sigma: 1, dimension: 1, failure: 0.05 }) // => 1.95996
 */
export function gaussianMaxError(request: GaussianVector & { readonly sigma: number }): number {
  return checkPositive("sigma", request.sigma) * exactQuantile(request) * (1 + 1e-13);
}

/**
 * The largest σ for which {@link gaussianMaxError} is at most `error`. Rounded down.
 * Source: A Fact 2.8 as corrected, with the exact tail.
 * Direction: lower
 * Errors: parameter.invalid unless the error is > 0, and as above.
 * @example gaussianSigmaForMaxError({ error: 1.96, dimension: 1, failure: 0.05 }) // => 1.00001
 */
export function gaussianSigmaForMaxError(request: GaussianVector & { readonly error: number }): number {
  return (checkPositive("error", request.error) / exactQuantile(request)) * (1 - 1e-13);
}

/**
 * The largest error of a Gaussian mechanism of this ℓ2 sensitivity with the smallest σ that (ε, δ) allows, but for a chance η.
 * Source: A Fact 2.8 as corrected; σ by Balle & Wang 2018, Thm 8.
 * Direction: exact
 * Errors: parameter.invalid unless Δ₂ > 0, ε ≥ 0, 0 < δ < 1, and as above.
 * @example gaussianMechanismMaxError({ sensitivity: 1, epsilon: 1, delta: 1e-5, dimension: 1, failure: 0.05 }) // => 7.3119
 */
export function gaussianMechanismMaxError(
  request: GaussianVector & {
    readonly sensitivity: number;
    readonly epsilon: number;
    readonly delta: number;
  },
): number {
  const mu = gaussianMu(request.epsilon, request.delta);
  return gaussianMaxError({
    ...request,
    sigma: (checkPositive("sensitivity", request.sensitivity) / mu) * (1 + 1e-15),
  });
}

/**
 * The document's bound with its σ put back: σ·√(2·ln(d/η)), because P[|N(0,1)| > t] ≤ e^(−t²/2). Never below {@link gaussianMaxError}.
 * Source: A Fact 2.8 as corrected.
 * Direction: upper
 * Errors: as above.
 * @example gaussianMaxErrorTextbook({ sigma: 1, dimension: 10, failure: 0.05 }) // => 3.2552
 */
export function gaussianMaxErrorTextbook(request: GaussianVector & { readonly sigma: number }): number {
  const { sigma, dimension, failure } = request;
  const union = checkWhole("dimension", dimension) / checkChance("failure", failure);
  return checkPositive("sigma", sigma) * Math.sqrt(2 * Math.log(union)) * (1 + 1e-15);
}
