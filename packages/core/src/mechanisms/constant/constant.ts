import { LetheError } from "../../errors/lethe-error.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";
import { pureRenyi } from "../../losses/renyi/curves/pure-renyi.ts";
import { zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { NoiseMechanism } from "../mechanism.ts";

/**
 * The exact value, where all neighbours give the same: sensitivity 0, no loss under any measure.
 * Source: Dwork & Roth 2014, Def. 2.4, at sensitivity 0.
 * Direction: exact.
 * Errors: internal.invariant when an event is asked for at another sensitivity.
 */
export const constant: NoiseMechanism<"constant", "constant@1"> = {
  kind: "constant",
  id: "constant@1",
  losses: () =>
    withCalculators(
      {
        pure: { measure: "pure", epsilon: zero },
        mixed: mixed.zero,
        zcdp: { measure: "zcdp", rho: zero, delta: zero },
      },
      { renyi: () => pureRenyi(0), pair: () => twoPointPair(0, 0) },
    ),
  event(_noise, { l1, l2Squared }) {
    if (l1 !== 0n || l2Squared !== 0n) {
      throw new LetheError("internal.invariant", "a measurement without noise has a sensitivity", {
        fix: "give it Laplace or Gaussian noise",
      });
    }
    return { kind: "constant", version: 1 };
  },
  sampler: () => ({
    sample: () => 0n,
    fill: (out) => {
      out.fill(0);
    },
  }),
};
