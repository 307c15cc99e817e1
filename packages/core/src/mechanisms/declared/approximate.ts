import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { mixed } from "../../measures/mixed.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative, probability } from "../parameters.ts";

/** Whatever its author proved (ε, δ)-DP. */
export const approximate: Mechanism<"approximate"> = {
  kind: "approximate",
  losses(event) {
    const epsilon = notNegative(event.epsilon, "epsilon");
    const delta = probability(event.delta, "delta");
    return {
      pure: delta.num === 0n ? { measure: "pure", epsilon } : null,
      mixed: { ...mixed.zero, epsilon, delta },
      zcdp: zcdpFromApproximate({ measure: "approximate", epsilon, delta }),
    };
  },
};
