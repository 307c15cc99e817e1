import { checkChance, checkPositive, checkWhole } from "./checks.ts";

/** A vector of d numbers with this ℓ1 sensitivity; the largest error may exceed what is said with chance `failure`. */
export interface LaplaceVector {
  readonly sensitivity: number;
  readonly dimension: number;
  readonly failure: number;
}

/** −log(1 − (1−η)^(1/d)): the largest of d exponentials exceeds it with chance η. */
function exactQuantile(dimension: number, failure: number): number {
  return -Math.log(-Math.expm1(Math.log1p(-failure) / dimension));
}

/**
 * Returns the error that the largest of d errors of the real Laplace mechanism at ε exceeds with chance η:
 * (Δ₁/ε)·(−ln(1 − (1−η)^(1/d))), exact for independent coordinates. Rounded up.
 * Source: A Fact 2.2 and Cor. 2.3, with the exact tail in place of the union bound.
 * Direction: exact
 * Errors: parameter.invalid unless Δ₁ > 0, ε > 0, d ≥ 1 is whole and 0 < η < 1.
 * @example laplaceMaxError({ sensitivity: 1, dimension: 1, failure: 0.05, epsilon: 1 }) // => 2.9957
 */
export function laplaceMaxError(request: LaplaceVector & { readonly epsilon: number }): number {
  const { quantile, sensitivity } = checked(request);
  return ((sensitivity * quantile) / checkPositive("epsilon", request.epsilon)) * (1 + 1e-14);
}

/**
 * The least ε for which {@link laplaceMaxError} is at most `error`. Rounded up.
 * Source: A Fact 2.2 and Cor. 2.3, with the exact tail in place of the union bound.
 * Direction: exact
 * Errors: parameter.invalid unless the error is > 0, and as above.
 * @example laplaceEpsilonForMaxError({ sensitivity: 1, dimension: 10, failure: 0.05, error: 5 }) // => 1.0544
 */
export function laplaceEpsilonForMaxError(request: LaplaceVector & { readonly error: number }): number {
  const { quantile, sensitivity } = checked(request);
  return ((sensitivity * quantile) / checkPositive("error", request.error)) * (1 + 1e-14);
}

/**
 * The document's bound: (Δ₁/ε)·ln(d/η), by a union bound. Never below {@link laplaceMaxError}.
 * Source: A Cor. 2.3 as printed.
 * Direction: upper
 * Errors: as above.
 * @example laplaceMaxErrorTextbook({ sensitivity: 1, dimension: 10, failure: 0.05, epsilon: 1 }) // => 5.2983
 */
export function laplaceMaxErrorTextbook(request: LaplaceVector & { readonly epsilon: number }): number {
  const { sensitivity } = checked(request);
  const union = Math.log(request.dimension / request.failure);
  return ((sensitivity * union) / checkPositive("epsilon", request.epsilon)) * (1 + 1e-15);
}

function checked({ sensitivity, dimension, failure }: LaplaceVector): {
  readonly sensitivity: number;
  readonly quantile: number;
} {
  checkPositive("sensitivity", sensitivity);
  return {
    sensitivity,
    quantile: exactQuantile(checkWhole("dimension", dimension), checkChance("failure", failure)),
  };
}
