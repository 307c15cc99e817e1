import { lossToJson, type PrivacyLoss, type Rational, ratio } from "@lethe/core";
import { approximateFromZcdp } from "@lethe/core/accounting";
import { membershipAdvantage } from "@lethe/core/accuracy";
import { add, compare, one, zero } from "@lethe/core/numeric";
import type { AccountTotals } from "@lethe/ledger";
import type { AccountState } from "../release.ts";

/** Returns the account's totals as a certificate states them, with what an attacker gains from all of it. */
export function accountState({ granted, spent, left }: AccountTotals): AccountState {
  return {
    granted: lossToJson(granted),
    spent: lossToJson(spent),
    left: lossToJson(left),
    membershipAdvantage: Math.min(
      1,
      ...approximations(spent).map(({ epsilon, delta }) => membershipAdvantage(epsilon, delta)),
    ),
  };
}

/** (ε, δ) that the loss implies; under zCDP there is one for every δ, and each bounds the attacker. */
function approximations(spent: PrivacyLoss): readonly { epsilon: Rational; delta: Rational }[] {
  if (spent.measure === "pure") return [{ epsilon: spent.epsilon, delta: zero }];
  if (spent.measure === "approximate") return [spent];
  return [1, 2, 3, 4, 6, 9, 12]
    .map((power) => add(spent.delta, ratio(1n, 10n ** BigInt(power))))
    .filter((delta) => compare(delta, one) < 0)
    .map((delta) => approximateFromZcdp(spent, delta));
}
