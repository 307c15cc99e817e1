import { LetheError, lossToJson, type PrivacyLoss } from "@lethe/core";
import { bothHold, lossOdds, type Odds } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import type { AccountTotals } from "@lethe/ledger";
import type { AccountState } from "../release.ts";

/**
 * Returns the account's totals as a certificate states them, with what an attacker gains from all that was spent: what the worst mechanism of that loss tells. Where all of it is
 * the one charge whose odds are given, both bounds hold.
 */
export function accountState(
  { granted, spent, left }: AccountTotals,
  charge: { readonly loss: PrivacyLoss; readonly odds: Odds },
): AccountState {
  if (granted === null || left === null)
    throw new LetheError(
      "internal.invariant",
      "a certificate states the account's cap, and this account has none",
      {
        fix: "report this as a defect",
      },
    );
  const worst = lossOdds(spent);
  const isAll = canonicalJson(lossToJson(spent)) === canonicalJson(lossToJson(charge.loss));
  const { advantage, truePositives, mu } = isAll ? bothHold(worst, charge.odds) : worst;
  return {
    granted: lossToJson(granted),
    spent: lossToJson(spent),
    left: lossToJson(left),
    membershipAdvantage: advantage,
    truePositives,
    mu,
  };
}
