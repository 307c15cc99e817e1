import { rhoFromGaussian } from "../../conversions/gaussian-to-zcdp.ts";
import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { integerNoisePair } from "../../losses/pld/pairs/integer-noise-pair.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { gaussianRenyi } from "../../losses/renyi/curves/gaussian-renyi.ts";
import { divide, multiply, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { roundedGaussian as draw } from "../../samplers/index.ts";
import { withCalculators } from "../for-calculators.ts";
import type { NoiseMechanism } from "../mechanism.ts";
import { integer, positive } from "../parameters.ts";

/**
 * Adds the rounding to integers of N(0, σ²) to every coordinate of an integer vector. x + round(N) = round(x + N) for
 * integer x, so this is post-processing of the continuous Gaussian mechanism: exactly μ-Gaussian DP with μ = Δ₂/σ, and
 * ρ = μ²/2. Proof: ./gaussian.proof.md
 * Source: Dong, Roth & Su 2022, Thm 2.7; Bun & Steinke 2016, Prop. 1.6 (A Thm 2.7, C Prop 2).
 * Direction: upper.
 */
export const roundedGaussian: NoiseMechanism<"rounded-gaussian", "rounded-gaussian@1"> = {
  kind: "rounded-gaussian",
  id: "rounded-gaussian@1",
  losses(event) {
    const sigma = positive(event.sigma, "sigma");
    const l2Squared = ratio(integer(event.l2Squared, "l2Squared", 0n));
    const muSquared = divide(l2Squared, multiply(sigma, sigma));
    const exact: ProvableLosses = {
      pure: l2Squared.num === 0n ? { measure: "pure", epsilon: zero } : null,
      mixed: { ...mixed.zero, muSquared },
      zcdp: { measure: "zcdp", rho: ceilRho(rhoFromGaussian(muSquared)), delta: zero },
    };
    return withCalculators(exact, {
      renyi: () => ({ ...gaussianRenyi(toDouble(muSquared, "up")), tight: false }),
      // An integer vector of ℓ2² = 1 moves in one coordinate, by one. For a large σ rounding hides nothing worth the atoms.
      pair: () =>
        l2Squared.num === l2Squared.den && toDouble(sigma, "up") <= 50
          ? integerNoisePair({ law: "rounded-gaussian", sigma: toDouble(sigma, "down") }, 1)
          : null,
    });
  },
  event: (noise, { l2Squared }) => ({
    kind: "rounded-gaussian",
    version: 1,
    sigma: noise.sigma,
    l2Squared: l2Squared.toString(),
  }),
  sampler: (noise) => draw(positive(noise.sigma, "sigma")),
};
