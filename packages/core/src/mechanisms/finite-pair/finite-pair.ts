import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { epsilonGrid } from "../../conversions/search/loss-grid.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { exactFinitePair } from "../../losses/pld/pairs/finite-pair.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";
import { finitePairRenyi } from "../../losses/renyi/curves/finite-pair-renyi.ts";
import { lnBracket } from "../../numeric/bracket.ts";
import { add, ceilTo, divide, max, one, type Rational, zero } from "../../numeric/rational.ts";
import { withCalculators } from "../for-calculators.ts";
import type { Mechanism } from "../mechanism.ts";
import { distribution } from "../parameters.ts";

/** ⌈ln x⌉ on the ε grid for x ≥ 1; 0 stays 0. */
function lnUp(x: Rational): Rational {
  return x.num === x.den ? zero : ceilTo(lnBracket(x, 80).hi, epsilonGrid);
}

/**
 * A finite mechanism by its worst pair (p, q). ε is the largest |ln(p/q)| where both are positive, rounded up to 2^−40,
 * and δ the larger mass of the outcomes that only one of the two can give. Proof: ./finite-pair.proof.md
 * Source: Dwork & Roth 2014, Def. 2.4, outcome by outcome (A Def 1.1, C Def 1).
 * Direction: exact, rounded up.
 */
export const finitePair: Mechanism<"finite-pair"> = {
  kind: "finite-pair",
  losses(event) {
    const p = distribution(event.p, "p");
    const q = distribution(event.q, "q");
    if (p.length !== q.length) throw invalidParameter("q", `${q.length} outcomes`, "as long as p");
    let ratioMost = one;
    let onlyP = zero;
    let onlyQ = zero;
    p.forEach((left, i) => {
      const right = q[i] as Rational;
      if (left.num > 0n && right.num > 0n) {
        ratioMost = max(ratioMost, max(divide(left, right), divide(right, left)));
      } else {
        onlyP = add(onlyP, left);
        onlyQ = add(onlyQ, right);
      }
    });
    const epsilon = lnUp(ratioMost);
    const delta = max(onlyP, onlyQ);
    const exact: ProvableLosses = {
      pure: delta.num === 0n ? { measure: "pure", epsilon } : null,
      mixed: { ...mixed.zero, epsilon, delta },
      zcdp: zcdpFromApproximate({ measure: "approximate", epsilon, delta }),
    };
    return withCalculators(exact, { renyi: () => finitePairRenyi(p, q), pair: () => exactFinitePair(p, q) });
  },
};
