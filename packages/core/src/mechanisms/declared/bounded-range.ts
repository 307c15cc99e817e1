import { mixed } from "../../losses/measures/mixed.ts";
import { boundedRangeRenyi } from "../../losses/renyi/curves/bounded-range-renyi.ts";
import { multiply, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative } from "../parameters.ts";
import { boundedRangePair } from "./bounded-range-pair.ts";

/**
 * A declared mechanism: one that its author proved to have ε-bounded range, the exponential mechanism's own property. ε-DP, and (ε²/8)-zCDP, four
 * times better than pure DP gives. Proof: ./declared.proof.md
 * Source: Dong, Durfee & Rogers 2020 (arXiv 1909.13830), Def. 3.1; Cesar & Rogers 2021 (arXiv 2004.07223), Lemma 3.2
 * Direction: upper
 */
export const boundedRange: Mechanism<"bounded-range"> = {
  kind: "bounded-range",
  losses(event) {
    const epsilon = notNegative(event.epsilon, "epsilon");
    const rho = multiply(multiply(epsilon, epsilon), ratio(1n, 8n));
    return withCalculators(
      {
        pure: { measure: "pure", epsilon },
        mixed: { ...mixed.zero, epsilon },
        zcdp: { measure: "zcdp", rho, delta: zero },
      },
      {
        renyi: () => boundedRangeRenyi(toDouble(epsilon, "up")),
        pair: () => boundedRangePair(toDouble(epsilon, "up")),
      },
    );
  },
};
