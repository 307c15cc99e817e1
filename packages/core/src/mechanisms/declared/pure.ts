import { zcdpFromPure } from "../../conversions/pure-to-zcdp.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";
import { pureRenyi } from "../../losses/renyi/curves/pure-renyi.ts";
import { toDouble } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative } from "../parameters.ts";

/** A declared mechanism: one that its author proved ε-DP. Nothing is drawn here; the loss is the claim and what follows from it. The pair and
 * the Rényi curve are those of the worst ε-DP mechanism, so a lower bound is one of what the claim allows. */
export const pure: Mechanism<"pure"> = {
  kind: "pure",
  losses(event) {
    const epsilon = notNegative(event.epsilon, "epsilon");
    const loss = { measure: "pure", epsilon } as const;
    return withCalculators(
      { pure: loss, mixed: { ...mixed.zero, epsilon }, zcdp: zcdpFromPure(loss) },
      {
        renyi: () => pureRenyi(toDouble(epsilon, "up")),
        pair: () => twoPointPair(toDouble(epsilon, "up"), 0),
      },
    );
  },
};
