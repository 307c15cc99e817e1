import { rhoFromGaussian } from "../../conversions/gaussian-to-zcdp.ts";
import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { gaussianPair } from "../../losses/pld/pairs/gaussian-pair.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { gaussianRenyi } from "../../losses/renyi/curves/gaussian-renyi.ts";
import { toDouble, zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative } from "../parameters.ts";

/**
 * A declared mechanism: one that its author proved μ-Gaussian DP, μ² = muSquared. It need not be Gaussian: neighbours are told apart no better
 * than N(0, 1) from N(μ, 1). Proof: ./declared.proof.md
 * Source: Dong, Roth & Su 2022 (arXiv 1905.02383), Def. 2.6 and Cor. 3.3
 * Direction: exact
 */
export const gaussianDp: Mechanism<"gaussian-dp"> = {
  kind: "gaussian-dp",
  losses(event) {
    const muSquared = notNegative(event.muSquared, "muSquared");
    const exact: ProvableLosses = {
      pure: muSquared.num === 0n ? { measure: "pure", epsilon: zero } : null,
      mixed: { ...mixed.zero, muSquared },
      zcdp: { measure: "zcdp", rho: ceilRho(rhoFromGaussian(muSquared)), delta: zero },
    };
    const upper = toDouble(muSquared, "up");
    return withCalculators(exact, {
      renyi: () => gaussianRenyi(upper),
      pair: () => gaussianPair(Math.sqrt(upper) * (1 + 2 ** -52)),
    });
  },
};
