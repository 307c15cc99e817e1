import { invalidParameter } from "@lethe/core";
import { gaussianFromEpsilon } from "@lethe/core/accounting";
import { divide, fromDouble, type Rational, ratio, subtract, toDouble } from "@lethe/core/numeric";

/** The noise and the ridge of the perturbed objective  Σ f(w) + Λ|w|²/2 + ⟨b, w⟩,  b ~ N(0, σ²I). */
export interface PerturbedObjective {
  readonly sigma: number;
  readonly convexity: number;
}

/**
 * Returns the σ for which the exact minimum of the perturbed objective of a generalized linear model is (ε, δ)-DP under replace-one, given Λ:
 *   δ = 4·δ_G(2L/σ, ε − ln(1 + β/Λ)),   where ε − ln(1 + β/Λ) ≥ (2L/σ)²/2,
 * δ_G(μ, ε) the exact δ of a Gaussian mechanism.
 * Source: Redberg, Koskela & Wang 2023 (arXiv 2401.00583) for add-or-remove-one; for replace-one derived in ./objective-perturbation.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid where ln(1 + β/Λ) leaves too little of ε.
 * @example perturbationSigma({ lipschitz: 1, smoothness: 0.25, convexity: 1, epsilon: ratio(1n), delta: parseRational("1e-6") }) // => 11.41
 */
export function perturbationSigma(run: {
  readonly lipschitz: number;
  readonly smoothness: number;
  readonly convexity: number;
  readonly epsilon: Rational;
  readonly delta: Rational;
}): number {
  const { lipschitz, smoothness, convexity, epsilon, delta } = run;
  // ln(1 + x) ≤ x, and the logarithm of doubles is right to a few ulp.
  const told = smoothness === 0 ? 0 : Math.log1p((smoothness / convexity) * (1 + 2 ** -40));
  const spent = fromDouble(told * (1 + 2 ** -40));
  const left = subtract(epsilon, spent);
  if (!(toDouble(left, "down") > 0))
    throw invalidParameter("convexity", convexity, "so large that ln(1 + β/Λ) is below ε");
  const muSquared = toDouble(gaussianFromEpsilon(left, divide(delta, ratio(4n))), "down");
  if (!(toDouble(left, "down") >= muSquared / 2))
    throw invalidParameter("delta", toDouble(delta, "down"), "so small that ε − ln(1 + β/Λ) ≥ (2L/σ)²/2");
  return ((2 * lipschitz) / Math.sqrt(muSquared)) * (1 + 2 ** -40);
}
