import { checkFiniteLoss, checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/**
 * The Gaussian mechanism with (Δ₂/σ)² = muSquared: D_α = α·μ²/2, in both directions.
 * Source: Mironov 2017, Prop. 7; Bun & Steinke 2016, Prop. 1.6 (A Thm 2.7, C Lemma 5, C Prop. 2).
 * Direction: exact
 * Errors: parameter.invalid unless muSquared ≥ 0 and finite.
 * @example gaussianRenyi(1).at(2) // => 1
 */
export function gaussianRenyi(muSquared: number): RenyiCurve {
  checkFiniteLoss("muSquared", muSquared);
  return {
    id: `gaussian(μ²=${muSquared})`,
    tight: true,
    muSquared,
    at: (order) => roundedUp(checkOrder(order) * (muSquared / 2)),
  };
}
