import type { PrivacyLoss } from "@lethe/core";
import type { AccountBudget } from "../account/budget.ts";
import { statedBudget } from "../account/stated-budget.ts";
import type { GenesisPayload } from "../records/entry.ts";
import type { Account } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import type { Scope } from "../scopes/scope.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import { begun } from "../terms/change-terms.ts";

/** The books of a new account under a budget, on which this much is spent: by the account, and by analysts. */
export function booksWith(
  budget: AccountBudget,
  spent: PrivacyLoss | null = null,
  spentBy: Readonly<Record<string, PrivacyLoss>> = {},
  changed: Partial<Account> = {},
): Books {
  const payload: GenesisPayload = {
    version: 2,
    budget: statedBudget(budget),
    failureCap: 9,
    failureCapEach: 9,
    policyHash: "ab",
    publicKey: "key",
    source: "people",
  };
  const { account, scopes } = begun(payload, { sequence: 0, at: 0 });
  const meters = account.meters.map((meter) => ({ ...meter, ...(spent ? { spent } : {}) }));
  const own = (scope: Scope): Scope => {
    const loss = scope.name[0] === "analyst" ? spentBy[scope.name[1]] : undefined;
    return loss ? { ...scope, meters: scope.meters.map((meter) => ({ ...meter, spent: loss })) } : scope;
  };
  const held = new Map(scopes.map((scope) => [scopeKey(scope.name), own(scope)]));
  return {
    account: { ...account, meters, ...changed },
    scope: (name) => held.get(scopeKey(name)) ?? null,
    all: () => held.values(),
  };
}
