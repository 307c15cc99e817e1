import { zcdpFromPure } from "../../conversions/pure-to-zcdp.ts";
import { mixed } from "../../measures/mixed.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative } from "../parameters.ts";

/** Whatever its author proved ε-DP. Nothing is drawn here; the loss is the claim and what follows from it. */
export const pure: Mechanism<"pure"> = {
  kind: "pure",
  losses(event) {
    const epsilon = notNegative(event.epsilon, "epsilon");
    const loss = { measure: "pure", epsilon } as const;
    return { pure: loss, mixed: { ...mixed.zero, epsilon }, zcdp: zcdpFromPure(loss) };
  },
};
