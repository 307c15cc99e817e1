import { mixed } from "../../losses/measures/mixed.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { zcdpRenyi } from "../../losses/renyi/curves/zcdp-renyi.ts";
import { toDouble, zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative } from "../parameters.ts";

/** A declared mechanism: one that its author proved ρ-zCDP. It need not be Gaussian: only what holds of every ρ-zCDP mechanism is declared. */
export const zcdp: Mechanism<"zcdp"> = {
  kind: "zcdp",
  losses(event) {
    const rho = notNegative(event.rho, "rho");
    const exact: ProvableLosses = {
      // ρ = 0 forces a Rényi divergence of 0: the same answer on all neighbours.
      pure: rho.num === 0n ? { measure: "pure", epsilon: zero } : null,
      mixed: { ...mixed.zero, rho },
      zcdp: { measure: "zcdp", rho, delta: zero },
    };
    return withCalculators(exact, { renyi: () => zcdpRenyi(toDouble(rho, "up")) });
  },
};
