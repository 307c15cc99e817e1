import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { integerNoisePair } from "../../losses/pld/pairs/integer-noise-pair.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { zcdpRenyi } from "../../losses/renyi/curves/zcdp-renyi.ts";
import { sqrtDown } from "../../numeric/directed.ts";
import { divide, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { discreteGaussian as draw } from "../../samplers/index.ts";
import { withCalculators } from "../for-calculators.ts";
import type { NoiseMechanism } from "../mechanism.ts";
import { integer, positive } from "../parameters.ts";

/**
 * Adds Z ∈ ℤ with P[Z = z] ∝ exp(−z²/(2σ²)) to every coordinate of an integer vector. Loss: ρ = Δ₂²/(2σ²).
 * It is not μ-Gaussian DP: its δ exceeds the continuous
 * Gaussian's, so under approximate DP it is priced from ρ. Proof: ./gaussian.proof.md
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Thm 14.
 * Direction: exact, attained at integer orders.
 */
export const discreteGaussian: NoiseMechanism<"discrete-gaussian", "discrete-gaussian@1"> = {
  kind: "discrete-gaussian",
  id: "discrete-gaussian@1",
  losses(event) {
    const sigmaSquared = positive(event.sigmaSquared, "sigmaSquared");
    const l2Squared = ratio(integer(event.l2Squared, "l2Squared", 0n));
    const rho = ceilRho(divide(divide(l2Squared, sigmaSquared), ratio(2n)));
    const exact: ProvableLosses = {
      pure: l2Squared.num === 0n ? { measure: "pure", epsilon: zero } : null,
      mixed: { ...mixed.zero, rho },
      zcdp: { measure: "zcdp", rho, delta: zero },
    };
    return withCalculators(exact, {
      renyi: () => zcdpRenyi(toDouble(rho, "up")),
      // An integer vector of ℓ2² = 1 moves in one coordinate, by one: the masses that are drawn say all.
      pair: () =>
        l2Squared.num === l2Squared.den
          ? integerNoisePair({ law: "discrete-gaussian", sigma: sqrtDown(toDouble(sigmaSquared, "down")) }, 1)
          : null,
    });
  },
  event: (noise, { l2Squared }) => ({
    kind: "discrete-gaussian",
    version: 1,
    sigmaSquared: noise.sigmaSquared,
    l2Squared: l2Squared.toString(),
  }),
  sampler: (noise) => draw(positive(noise.sigmaSquared, "sigmaSquared")),
};
