import { zcdpFromPure } from "../../conversions/pure-to-zcdp.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { laplacePair } from "../../losses/pld/pairs/laplace-pair.ts";
import { laplaceRenyi } from "../../losses/renyi/curves/laplace-renyi.ts";
import { divide, toDouble } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative, positive } from "../parameters.ts";

/**
 * Real Laplace noise on one real number: ε = Δ/scale. For accounting of what others run.
 * Source: Dwork, McSherry, Nissim & Smith 2006, Prop. 1 (A Thm 2.1, B Claim 3.1).
 * Direction: exact.
 */
export const continuousLaplace: Mechanism<"continuous-laplace"> = {
  kind: "continuous-laplace",
  losses(event) {
    const epsilon = divide(notNegative(event.sensitivity, "sensitivity"), positive(event.scale, "scale"));
    const pure = { measure: "pure", epsilon } as const;
    return withCalculators(
      { pure, mixed: { ...mixed.zero, epsilon }, zcdp: zcdpFromPure(pure) },
      {
        renyi: () => laplaceRenyi(toDouble(epsilon, "up")),
        pair: () => laplacePair(toDouble(epsilon, "up")),
      },
    );
  },
};
