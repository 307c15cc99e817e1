import type { Rational } from "../../numeric/rational.ts";
import { additiveMeasure } from "./additive-measure.ts";
import type { Measure } from "./measure.ts";

/**
 * The loss of an event before a δ is chosen: its trade-off function lies above f(ε,δ) ⊗ G(μ) ⊗ (any ρ-zCDP one),
 * that is, no test distinguishes neighbours better than a composition of an (ε, δ)-DP mechanism, one Gaussian of
 * sensitivity/σ = μ, and a ρ-zCDP mechanism. Kept apart because Gaussians compose exactly: μ² adds up.
 */
export interface MixedLoss {
  readonly measure: "mixed";
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly muSquared: Rational;
  readonly rho: Rational;
}

/**
 * The product ⊗ of trade-off functions is commutative, associative and bounds adaptive composition (Dong, Roth & Su
 * 2022, Thm 3.2), G(μ₁) ⊗ G(μ₂) = G(√(μ₁² + μ₂²)) (Cor. 3.3), f(ε₁,δ₁) ⊗ f(ε₂,δ₂) ≥ f(ε₁+ε₂, δ₁+δ₂) (basic composition),
 * and ρ adds up. So all four coordinates do.
 */
export const mixed: Measure<MixedLoss> = additiveMeasure("mixed", ["epsilon", "delta", "muSquared", "rho"]);
