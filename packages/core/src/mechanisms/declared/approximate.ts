import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";
import { pureRenyi } from "../../losses/renyi/curves/pure-renyi.ts";
import { toDouble } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative, probability } from "../parameters.ts";

/** A declared mechanism: one that its author proved (ε, δ)-DP. */
export const approximate: Mechanism<"approximate"> = {
  kind: "approximate",
  losses(event) {
    const epsilon = notNegative(event.epsilon, "epsilon");
    const delta = probability(event.delta, "delta");
    const pure = delta.num === 0n;
    return withCalculators(
      {
        pure: pure ? { measure: "pure", epsilon } : null,
        mixed: { ...mixed.zero, epsilon, delta },
        zcdp: zcdpFromApproximate({ measure: "approximate", epsilon, delta }),
      },
      {
        renyi: () => (pure ? pureRenyi(toDouble(epsilon, "up")) : null),
        pair: () => twoPointPair(toDouble(epsilon, "up"), toDouble(delta, "up")),
      },
    );
  },
};
