import { zcdpFromPure } from "../../conversions/pure-to-zcdp.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { pureRenyi } from "../../losses/renyi/curves/pure-renyi.ts";
import { divide, ratio, toDouble } from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { withCalculators } from "../for-calculators.ts";
import type { NoiseMechanism } from "../mechanism.ts";
import { integer, positive } from "../parameters.ts";
import { laplaceShift } from "./laplace-shift.ts";

/**
 * Adds Z ∈ ℤ with P[Z = z] ∝ exp(−|z|/scale) to every coordinate of an integer vector. Loss: ε = Δ₁/scale, exactly
 * attained. Proof: ./laplace.proof.md
 * Source: Ghosh, Roughgarden & Sundararajan 2009; Dwork & Roth 2014, Thm 3.6 (A Thm 2.1, B Claim 3.1).
 * Direction: exact.
 */
export const laplace: NoiseMechanism<"laplace", "discrete-laplace@1"> = {
  kind: "laplace",
  id: "discrete-laplace@1",
  losses(event) {
    const l1 = integer(event.l1, "l1", 0n);
    const scale = positive(event.scale, "scale");
    const epsilon = divide(ratio(l1), scale);
    const pure = { measure: "pure", epsilon } as const;
    return withCalculators(
      { pure, mixed: { ...mixed.zero, epsilon }, zcdp: zcdpFromPure(pure) },
      {
        // One integer moved by one is randomized response; moved by more, it loses less.
        renyi: () => ({ ...pureRenyi(toDouble(epsilon, "up")), tight: l1 <= 1n }),
        pair: () => laplaceShift(toDouble(scale, "down"), l1, toDouble(epsilon, "up")),
      },
    );
  },
  event: (noise, { l1 }) => ({ kind: "laplace", version: 1, scale: noise.scale, l1: l1.toString() }),
  sampler: (noise) => discreteLaplace(positive(noise.scale, "scale")),
};
