import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { approximate } from "../../losses/measures/approximate.ts";
import type { ApproximateLoss } from "../../losses/measures/loss.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { zcdp } from "../../losses/measures/zcdp.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";

/** Returns the provable losses of a rule that is (ε, δ)-DP for each group, for a unit that changes `groups` of them: by composition, rounded up. */
export function approximateLosses(group: ApproximateLoss, groups: bigint): ProvableLosses {
  const { epsilon, delta } = approximate.power(group, groups);
  const inZcdp = zcdp.power(zcdpFromApproximate(group), groups);
  return {
    pure: null,
    mixed: { ...mixed.zero, epsilon, delta },
    zcdp: { ...inZcdp, rho: ceilRho(inZcdp.rho) },
  };
}
