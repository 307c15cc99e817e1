import { subsampledEpsilon } from "../amplification/subsampled-epsilon.ts";
import type { ProvenSample } from "./sampled-rate.ts";

/** An (ε, δ)-DP mechanism; δ = 0 is ε-DP. */
export interface EpsilonDelta {
  readonly epsilon: number;
  readonly delta: number;
}

/**
 * An (ε, δ)-DP mechanism run on a sample that holds a given unit with probability q:
 *   ε′ = log(1 + q(e^ε − 1)), δ′ = qδ          Poisson with add-or-remove-one, or without replacement with replace-one;
 *   ε′ = log((1 − q + qe^ε)/(1 − q + qe^(−ε))), δ′ = qδ(1 + e^(ε′−ε))    Poisson with replace-one, (ε, δ) of add-or-remove-one.
 * The second: with r₁, r₂ of mass ≤ δ, μ₁ ≤ e^ε·μ₀ + r₁ and μ₀ ≤ e^ε·μ₁′ + r₂, where μ₀ is the law without the unit; so
 * P ≤ (1−q+qe^ε)·μ₀ + q·r₁ and P′ ≥ (1−q+qe^(−ε))·μ₀ − qe^(−ε)·r₂. At q = 1 it is the group of two. Rounded up.
 * Source: Balle, Barthe & Gaboardi 2018 (arXiv 1807.01647), Thm 8 and 9 (C §3); the second is derived here.
 * Direction: upper
 * Errors: parameter.invalid outside the domains.
 */
export function sampledApproximate(
  { epsilon, delta }: EpsilonDelta,
  { pairing, rate }: ProvenSample,
): EpsilonDelta {
  const joined = subsampledEpsilon(epsilon, rate);
  if (pairing !== "poisson-replace")
    return { epsilon: joined, delta: Math.min(1, delta * rate * (1 + 2e-16)) };
  const total = (joined - Math.log1p(rate * Math.expm1(-epsilon))) * (1 + 1e-15);
  const factor = rate * (1 + Math.exp(total - epsilon)) * (1 + 1e-15 + 4e-16 * (total + epsilon));
  return { epsilon: total, delta: delta === 0 ? 0 : Math.min(1, delta * factor) };
}
