import { lossToJson, type PrivacyLoss, type Rational, toText } from "@lethe/core";
import { bothHold, lossLeft, lossOdds, type Odds } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { zero } from "@lethe/core/numeric";
import type { Ledger, ScopeBalance } from "@lethe/ledger";
import type { AccountState, CertifiedWindow } from "../release.ts";

/** A charge, and what it tells. */
export interface OddsOfCharge {
  readonly loss: PrivacyLoss;
  readonly odds: Odds;
}

/**
 * Returns the account as a certificate for `viewer` states it. Who may see its spending is told what an attacker gains from all that was spent: what the worst mechanism of that loss tells.
 * Where all of it is the one charge whose odds are given, both bounds hold. Anybody else is told its cap alone, and of an account that windows alone bound, nobody is told more than these.
 */
export async function certifiedAccount(
  ledger: Pick<Ledger, "balance">,
  viewer: string,
  charge: OddsOfCharge,
): Promise<AccountState> {
  return accountState(await ledger.balance(["account"], viewer), charge);
}

/** {@link certifiedAccount}, of a balance that the viewer may see. */
export function accountState({ measure, periods }: ScopeBalance, charge: OddsOfCharge): AccountState {
  const [lifetime] = periods;
  if (!lifetime?.cap) {
    const windows = periods.flatMap(({ per, cap }): CertifiedWindow[] =>
      per === "ever" || cap === null
        ? []
        : [{ per, measure, main: written(cap.main), delta: measure === "pure" ? null : written(cap.delta) }],
    );
    return { lifetime: "none", windows };
  }
  const granted = lossOf(measure, lifetime.cap);
  const { spent } = lifetime;
  if (spent === null) return { granted: lossToJson(granted) };
  const worst = lossOdds(spent);
  const isAll = canonicalJson(lossToJson(spent)) === canonicalJson(lossToJson(charge.loss));
  const { advantage, truePositives, mu } = isAll ? bothHold(worst, charge.odds) : worst;
  return {
    granted: lossToJson(granted),
    spent: lossToJson(spent),
    left: lossToJson(lossLeft(granted, spent)),
    membershipAdvantage: advantage,
    truePositives,
    mu,
  };
}

function written(number: Rational | null): string | null {
  return number && toText(number);
}

/** A lifetime's cap, which limits every number of its measure, as a loss. */
function lossOf(
  measure: PrivacyLoss["measure"],
  { main, delta }: { readonly main: Rational | null; readonly delta: Rational | null },
): PrivacyLoss {
  const [first, second] = [main ?? zero, delta ?? zero];
  switch (measure) {
    case "pure":
      return { measure, epsilon: first };
    case "approximate":
      return { measure, epsilon: first, delta: second };
    case "zcdp":
      return { measure, rho: first, delta: second };
  }
}
