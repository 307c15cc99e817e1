import { rhoFromGaussian } from "../../conversions/gaussian-to-zcdp.ts";
import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { gaussianPair } from "../../losses/pld/pairs/gaussian-pair.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { gaussianRenyi } from "../../losses/renyi/curves/gaussian-renyi.ts";
import { divide, multiply, toDouble, zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative, positive } from "../parameters.ts";

/**
 * N(0, σ²) on real numbers: exactly μ-Gaussian DP with μ = Δ₂/σ, and ρ = μ²/2. For accounting of what others run; Lethe
 * itself draws only integer noise.
 * Source: Dong, Roth & Su 2022, Thm 2.7; Bun & Steinke 2016, Prop. 1.6 (A Thm 2.7, C Prop 2).
 * Direction: exact.
 */
export const gaussian: Mechanism<"gaussian"> = {
  kind: "gaussian",
  losses(event) {
    const mu = divide(notNegative(event.sensitivity, "sensitivity"), positive(event.sigma, "sigma"));
    const muSquared = multiply(mu, mu);
    const exact: ProvableLosses = {
      pure: mu.num === 0n ? { measure: "pure", epsilon: zero } : null,
      mixed: { ...mixed.zero, muSquared },
      zcdp: { measure: "zcdp", rho: ceilRho(rhoFromGaussian(muSquared)), delta: zero },
    };
    return withCalculators(exact, {
      renyi: () => gaussianRenyi(toDouble(muSquared, "up")),
      pair: () => gaussianPair(toDouble(mu, "up")),
    });
  },
};
