import { invalidParameter } from "../../errors/lethe-error.ts";
import { checkPositiveDelta } from "../search/checks.ts";

/** Errors: parameter.invalid unless 0 < ε ≤ 1. */
function checkSmallEpsilon(epsilon: number): number {
  if (!(epsilon > 0 && epsilon <= 1)) throw invalidParameter("epsilon", epsilon, "above 0 and at most 1");
  return epsilon;
}

function checkSensitivity(sensitivity: number): number {
  if (!(sensitivity > 0 && sensitivity < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("sensitivity", sensitivity, "> 0 and finite");
  }
  return sensitivity;
}

/**
 * The classical calibration: real Gaussian noise of σ = Δ₂·√(2·ln(1.25/δ))/ε makes a query (ε, δ)-DP for 0 < ε ≤ 1. Beyond ε = 1 it is false, and
 * refused. The textbook form: the exact calibration is never larger, and is what is used.
 * Source: Dwork & Roth 2014, Thm A.1 (A Thm 2.5, E).
 * Direction: upper
 * Errors: parameter.invalid unless 0 < ε ≤ 1, 0 < δ < 1 and the sensitivity is > 0.
 * @example classicalGaussianSigma(1, 1, 1e-5) // => 4.8448
 */
export function classicalGaussianSigma(sensitivity: number, epsilon: number, delta: number): number {
  const root = Math.sqrt(2 * Math.log(1.25 / checkPositiveDelta(delta)));
  return ((checkSensitivity(sensitivity) * root) / checkSmallEpsilon(epsilon)) * (1 + 2e-15);
}

/**
 * The calibration from a two-sided tail bound: σ² = 2Δ²·ln(2/δ)/ε² makes a query (ε, δ)-DP for 0 < ε ≤ 1 and 0 < δ ≤ ½.
 * The textbook form: the exact calibration is never larger, and is what is used.
 * Source: B Claim 4.2, by B Lemma 4.1 and B Claim 1.2.
 * Direction: upper
 * Errors: parameter.invalid unless 0 < ε ≤ 1, 0 < δ ≤ ½ and the sensitivity is > 0.
 * @example tailBoundGaussianSigma(1, 1, 1e-5) // => 4.9411
 */
export function tailBoundGaussianSigma(sensitivity: number, epsilon: number, delta: number): number {
  if (!(delta > 0 && delta <= 0.5)) throw invalidParameter("delta", delta, "above 0 and at most 1/2");
  const root = Math.sqrt(2 * Math.log(2 / delta));
  return ((checkSensitivity(sensitivity) * root) / checkSmallEpsilon(epsilon)) * (1 + 2e-15);
}

/**
 * The calibration by a single Rényi order: σ = 2Δ₂·√(ln(1/δ))/ε makes a query (ε, δ)-DP where ε ≤ ln(1/δ). At α = 3·ln(1/δ)/ε the divergence is at
 * most ε/2, and ln(1/δ)/(α − 1) ≤ ε/2 exactly when ε ≤ ln(1/δ), a condition the document leaves out.
 * The textbook form: the exact calibration is never larger, and is what is used.
 * Source: C Eq 11 and Eq 12, by C Lemma 7.
 * Direction: upper
 * Errors: parameter.invalid unless 0 < ε ≤ ln(1/δ), 0 < δ < 1 and the sensitivity is > 0.
 * @example renyiGaussianSigma(1, 1, 1e-5) // => 6.7861
 */
export function renyiGaussianSigma(sensitivity: number, epsilon: number, delta: number): number {
  const cost = -Math.log(checkPositiveDelta(delta));
  if (!(epsilon > 0 && epsilon <= cost))
    throw invalidParameter("epsilon", epsilon, "above 0 and at most ln(1/δ)");
  return ((2 * checkSensitivity(sensitivity) * Math.sqrt(cost)) / epsilon) * (1 + 2e-15);
}
