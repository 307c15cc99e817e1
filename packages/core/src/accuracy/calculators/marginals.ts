import { gaussianMu } from "../../conversions/gaussian/gaussian-mu.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { checkChance, checkPositive, checkWhole, wholeAtLeast } from "./checks.ts";

/** d one-way marginals of n rows in [0, 1]^d, replace-one; `delta` where Gaussian noise is meant, without it Laplace. */
export interface MarginalsBudget {
  readonly dimension: number;
  readonly epsilon: number;
  readonly delta?: number;
}

/** E|N(0,1)| = √(2/π). */
const meanAbsolute = 0.7978845608028654;

/** n times the expected error of each marginal. */
function errorTimesRecords({ dimension, epsilon, delta }: MarginalsBudget): number {
  checkWhole("dimension", dimension);
  checkPositive("epsilon", epsilon);
  if (delta === undefined) return dimension / epsilon;
  return (Math.sqrt(dimension) * meanAbsolute) / gaussianMu(epsilon, checkChance("delta", delta));
}

/**
 * The expected error of each of d one-way marginals of n rows: d/(nε) with Laplace noise (Δ₁ = d/n), √d·√(2/π)/(nμ) with Gaussian noise
 * (Δ₂ = √d/n) at the largest μ that (ε, δ) allows. Rounded up.
 * Source: C Prop. 1 and Eq 12, with tight sensitivities and the exact Gaussian.
 * Direction: exact
 * Errors: parameter.invalid outside the domains.
 * @example marginalsError({ records: 1000, dimension: 10, epsilon: 0.5 }) // => 0.02
 */
export function marginalsError(request: MarginalsBudget & { readonly records: number }): number {
  return (errorTimesRecords(request) / checkWhole("records", request.records)) * (1 + 1e-14);
}

/**
 * The least n for which {@link marginalsError} is at most `error`.
 * Source: C Prop. 1 and Eq 12, with tight sensitivities and the exact Gaussian.
 * Direction: exact
 * Errors: parameter.invalid outside the domains.
 * @example marginalsSampleSize({ error: 0.01, dimension: 10, epsilon: 0.5 }) // => 2000
 */
export function marginalsSampleSize(request: MarginalsBudget & { readonly error: number }): number {
  return wholeAtLeast(errorTimesRecords(request) / checkPositive("error", request.error));
}

/**
 * The n of the document: ⌈2d/(αε)⌉ for ε-DP, ⌈6·√(d·ln(1/δ))/(αε)⌉ for (ε, δ)-DP by advanced composition of d Laplace mechanisms. The step
 * of its proof that drops a term needs ε·2/(9·ln(1/δ)) ≤ 1 − √2/3, which for δ near 1 fails: refused there.
 * Source: C Prop. 1 as printed.
 * Direction: upper
 * Errors: parameter.invalid unless 0 < error < 1, 0 < ε < 1 and the condition holds.
 * @example marginalsSampleSizeTextbook({ error: 0.01, dimension: 10, epsilon: 0.5 }) // => 4000
 */
export function marginalsSampleSizeTextbook(request: MarginalsBudget & { readonly error: number }): number {
  const { dimension, epsilon, delta } = request;
  checkWhole("dimension", dimension);
  const scale = checkChance("error", request.error) * checkChance("epsilon", epsilon);
  if (delta === undefined) return wholeAtLeast((2 * dimension) / scale);
  const cost = -Math.log(checkChance("delta", delta));
  if (!((2 * epsilon) / (9 * cost) <= 1 - Math.SQRT2 / 3)) {
    throw invalidParameter("delta", delta, "such that 2ε/(9·ln(1/δ)) ≤ 1 − √2/3");
  }
  return wholeAtLeast((6 * Math.sqrt(dimension * cost)) / scale);
}

/**
 * The n of the document by Rényi privacy: ⌈4·√(d·ln(1/δ))/(αε)⌉, with Gaussian noise of σ = 2Δ₂√(ln(1/δ))/ε ≤ α. Needs ε ≤ ln(1/δ).
 * Source: C Eq 12 as printed, with the condition of C Eq 11.
 * Direction: upper
 * Errors: parameter.invalid unless the error is > 0, 0 < δ < 1 and 0 < ε ≤ ln(1/δ).
 * @example marginalsSampleSizeRenyi({ error: 0.01, dimension: 10, epsilon: 0.5, delta: 1e-6 }) // => 9404
 */
export function marginalsSampleSizeRenyi(request: {
  readonly error: number;
  readonly dimension: number;
  readonly epsilon: number;
  readonly delta: number;
}): number {
  const { dimension, epsilon, delta } = request;
  const cost = -Math.log(checkChance("delta", delta));
  if (!(checkPositive("epsilon", epsilon) <= cost))
    throw invalidParameter("epsilon", epsilon, "at most ln(1/δ)");
  const scale = checkPositive("error", request.error) * epsilon;
  return wholeAtLeast((4 * Math.sqrt(checkWhole("dimension", dimension) * cost)) / scale);
}
