import { lossFromJson, type PrivacyLossText, parseRational, type Rational } from "@lethe/core";
import { rhoFromEpsilon } from "@lethe/core/accounting";
import { compare, zero } from "@lethe/core/numeric";
import type { Plan, Policy } from "@lethe/query";
import { failed, notMade, passed, type Verdict } from "../checks/check.ts";

/**
 * Checks that no less was charged than the least ε that the plan states. In a zCDP account it stands for the largest ρ that alone gives (ε, δ)-DP, at the account's δ where the policy
 * states one, else at the question's.
 */
export function leastIsPaid(
  { plan, charge }: { readonly plan: Pick<Plan, "leastEpsilon">; readonly charge: PrivacyLossText },
  policy: Pick<Policy, "budget"> | null,
): Verdict {
  const { leastEpsilon } = plan;
  if (leastEpsilon === undefined) return passed("the plan states no least price");
  const paid = lossFromJson(charge);
  const least = parseRational(leastEpsilon);
  if (paid.measure !== "zcdp") return judged(paid.epsilon, least, leastEpsilon);
  if (policy === null) return notMade("the least price of a zCDP account follows from the policy's delta");
  const { delta } = policy.budget;
  return judged(paid.rho, rhoFromEpsilon(least, compare(delta, zero) > 0 ? delta : paid.delta), leastEpsilon);
}

function judged(paid: Rational, least: Rational, stated: string): Verdict {
  return compare(paid, least) >= 0
    ? passed(`no less was charged than the least epsilon, ${stated.slice(0, 40)}`)
    : failed("less was charged than the least epsilon that the plan states");
}
