import { type BudgetChange, changesOf, shutChanges } from "../account/budget-changes.ts";
import { mainOf } from "../account/main-number.ts";
import { statedIfNone } from "../decisions/apply.ts";
import { accountLeft, grantedOf } from "../decisions/left-for.ts";
import type { BudgetRecord, BudgetReport } from "../ledger.ts";
import { corrupt } from "../records/corrupt.ts";
import { type ReplayedBudget, replay } from "../records/replay.ts";
import { lifetimeOf, seenAt } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import { owner } from "../scopes/may-ask.ts";
import type { Scope } from "../scopes/scope.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import type { Contents } from "../stores/store.ts";
import { balanceOf } from "./balance-of.ts";
import { chargeReport, shareReport } from "./charge-page.ts";

/** Returns what the owner is told of a ledger at a time, from its whole chain. Errors: ledger.corrupt when it does not hold. */
export function budgetReport(contents: Contents, at: number): BudgetReport {
  const { account, scopes, head, charges, shares, budgets, problem } = replay(contents);
  if (problem || !account || !head) throw corrupt(problem?.reason ?? "it is empty", problem?.sequence);
  const books: Books = {
    account: seenAt(account, at),
    scope: (name) => scopes.get(scopeKey(name)) ?? null,
    all: () => scopes.values(),
  };
  const lifetime = lifetimeOf(account);
  const stated = [...scopes.values()].filter(({ listed, shut }) => listed || shut).sort(byKey);
  const all = [
    ...charges.map(({ record, payload, history }) => chargeReport(record, payload, history)),
    ...shares.map(({ record, payload, paid }) => shareReport(record, payload, paid)),
  ].sort((a, b) => a.sequence - b.sequence);
  return {
    measure: account.measure,
    closed: account.closed || account.shut,
    granted: grantedOf(lifetime),
    spent: lifetime.spent,
    left: accountLeft(lifetime),
    analysts: stated.filter(({ listed }) => listed).flatMap(analystOf),
    scopes: [
      balanceOf(books, ["account"], owner),
      ...stated.map(({ name }) => balanceOf(books, name, owner)),
    ],
    charges: all,
    budgets: budgets.map(budgetRecord),
    head: { sequence: head.sequence, hash: head.hash },
    clockBehind: at < account.seen ? account.seen : null,
  };
}

function byKey(one: Scope, other: Scope): number {
  return scopeKey(one.name) < scopeKey(other.name) ? -1 : 1;
}

function analystOf({ name, meters: [meter] }: Scope): BudgetReport["analysts"] {
  if (name[0] !== "analyst" || !meter) return [];
  return [{ name: name[1], granted: meter.limit?.main ?? null, spent: mainOf(meter.spent) }];
}

function budgetRecord({ record, kind, reason, renamed, before, after }: ReplayedBudget): BudgetRecord {
  const { sequence, at } = record;
  const changes: readonly BudgetChange[] = [
    ...changesOf(before.terms, after.terms, renamed),
    ...shutChanges(before.terms, after.terms),
    ...raisedFailures(before.failureCap, after.failureCap),
    ...raisedFailures(
      before.moreFailures,
      after.moreFailures,
      "further executions of an analyst that may fail",
    ),
    ...(before.policyHash === after.policyHash
      ? []
      : [{ how: "accepted" as const, what: "the policy's tables and units", from: null, to: null }]),
  ];
  return { sequence, at, kind, reason, changes: statedIfNone(changes) };
}

function raisedFailures(from: number, to: number, what = "executions that may fail"): BudgetChange[] {
  return from === to ? [] : [{ how: "raised", what, from: String(from), to: String(to) }];
}
