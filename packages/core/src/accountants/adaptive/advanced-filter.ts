import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { rhoFromEpsilon } from "../../conversions/canonne-kamath-steinke.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { ApproximateLoss, ZcdpLoss } from "../../losses/measures/loss.ts";
import { compare, type Rational, subtract, toText, zero } from "../../numeric/rational.ts";
import { additiveFilter } from "./additive-filter.ts";
import type { Filter } from "./filter.ts";

export interface AdvancedGrant {
  /** The whole composition must be (ε, δ)-DP for this ε and δ. */
  readonly epsilon: Rational;
  readonly delta: Rational;
  /** The part of δ that the mechanisms' own δs may use up; the rest pays for the conversion. 0 admits pure mechanisms alone. */
  readonly own: Rational;
}

/**
 * Advanced composition with losses chosen as one goes, at the rate of composition fixed in advance: mechanisms of (ε_i, δ_i)
 * are admitted while Σδ_i ≤ own and Σε_i²/2 stays within the ρ that an (ε, δ − own) budget is worth. Whitehouse, Ramdas,
 * Rogers & Wu 2023 (arXiv 2203.05481), Thm 2: an (ε, δ)-DP mechanism is δ-approximate (ε²/2)-zCDP, those compose under a
 * filter, and the whole is converted once; here by Canonne, Kamath & Steinke, who give more than their √(2Σε²·ln(1/δ′)) + Σε²/2.
 * Source: Whitehouse, Ramdas, Rogers & Wu 2023, Thm 2; Canonne, Kamath & Steinke 2020, Prop. 12
 * Direction: upper
 * What is left is stated in zCDP. Errors: parameter.invalid unless ε > 0 and 0 ≤ own < δ < 1.
 */
export function advancedFilter(grant: AdvancedGrant): Filter<ApproximateLoss, ZcdpLoss> {
  const { epsilon, delta, own } = grant;
  if (!(compare(own, zero) >= 0 && compare(own, delta) < 0)) {
    throw invalidParameter("own", toText(own), "at least 0 and below delta");
  }
  const rho = rhoFromEpsilon(epsilon, subtract(delta, own));
  const filter = additiveFilter<"zcdp">({ measure: "zcdp", rho, delta: own });
  const inZcdp = (loss: ApproximateLoss): ZcdpLoss => {
    // ε is squared, so its sign must be seen before.
    if (!(compare(loss.epsilon, zero) >= 0)) throw invalidParameter("epsilon", toText(loss.epsilon), "≥ 0");
    return zcdpFromApproximate(loss);
  };
  return {
    measure: "approximate",
    theorem: "Whitehouse, Ramdas, Rogers & Wu 2023, Thm 2",
    left: () => filter.left(),
    covers: (loss) => filter.covers(inZcdp(loss)),
    spend: (loss) => filter.spend(inZcdp(loss)),
  };
}
