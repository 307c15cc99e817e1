import { zcdpFromApproximate } from "../../conversions/approximate-to-zcdp.ts";
import { ceilRho } from "../../conversions/loss-grid.ts";
import { approximate } from "../../measures/approximate.ts";
import type { ApproximateLoss } from "../../measures/loss.ts";
import { mixed } from "../../measures/mixed.ts";
import type { ProvableLosses } from "../../measures/provable-losses.ts";
import { zcdp } from "../../measures/zcdp.ts";

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
