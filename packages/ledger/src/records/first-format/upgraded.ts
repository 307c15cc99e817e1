import { lossToJson, toText } from "@lethe/core";
import { statedBefore } from "../../account/stated-budget.ts";
import { type Account, accountMeter } from "../../scopes/account.ts";
import type { Posting } from "../../scopes/books.ts";
import { newMeter } from "../../scopes/meter.ts";
import { newScope, type Scope } from "../../scopes/scope.ts";
import { scopeKey } from "../../scopes/scope-name.ts";
import { budgetHash, stateTerms } from "../../terms/state-terms.ts";
import type { Balance } from "./balance.ts";
import type { StatedBudget } from "./entry.ts";
import type { FirstPrincipal } from "./principals.ts";

/** The first format as far as an upgrade needs it: its last balance, its principals, and what stated its budget. */
export interface FirstLedger {
  readonly balance: Balance;
  readonly principals: ReadonlyMap<string, FirstPrincipal>;
  readonly stated: { readonly sequence: number; readonly budget: StatedBudget };
  /** The latest time of its records. */
  readonly seen: number;
}

/**
 * The account and the scopes that a ledger of the first format goes on with: its caps as they were, an analyst's in ε or ρ alone, and all that was
 * ever charged under each name, δ too. A principal may fail as often as the account could.
 */
export function upgraded({ balance, principals, stated, seen }: FirstLedger, at: number): Posting {
  const { measure, granted, spent, failures, open, failureCap, policyHash } = balance;
  const begun: Account = {
    measure,
    meters: [{ ...accountMeter(newMeter(measure, "ever", 0)), spent }],
    closed: false,
    shut: false,
    showAccount: false,
    failures,
    open,
    failureCap,
    failureCapEach: failureCap,
    policyHash,
    stated: { sequence: stated.sequence, hash: "" },
    listsAnalysts: false,
    seen: Math.max(seen, at),
  };
  const people = [...principals].map(([name, own]): Scope => {
    const empty = newScope(measure, ["analyst", name]);
    const { failures, open } = own;
    return { ...empty, failures, open, meters: [{ ...newMeter(measure, "ever", 0), spent: own.spent }] };
  });
  const held = new Map(people.map((scope) => [scopeKey(scope.name), scope]));
  const terms = statedBefore({
    cap: lossToJson(granted),
    analysts: [...balance.analysts].map(([name, { granted: cap }]) => ({ name, cap: toText(cap) })),
    closed: balance.stated?.closed ?? false,
  });
  const books = {
    account: begun,
    scope: (name: Scope["name"]) => held.get(scopeKey(name)) ?? null,
    all: () => held.values(),
  };
  const posting = stateTerms(books, terms, stated.sequence);
  for (const scope of posting.scopes) held.set(scopeKey(scope.name), scope);
  const hash = budgetHash(statedBefore(stated.budget));
  return {
    account: { ...posting.account, stated: { sequence: stated.sequence, hash } },
    scopes: [...held.values()],
  };
}
