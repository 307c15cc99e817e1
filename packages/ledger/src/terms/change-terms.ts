import type { Rational } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import { isStatedBudget } from "../account/is-stated-budget.ts";
import { corrupt } from "../records/corrupt.ts";
import type { GenesisPayload, GrantPayload, LimitPayload } from "../records/entry.ts";
import { type Account, accountMeter } from "../scopes/account.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { type Limit, lower, readLimit } from "../scopes/limit.ts";
import { owner } from "../scopes/may-ask.ts";
import { type Meter, newMeter } from "../scopes/meter.ts";
import { withReservations } from "../scopes/post-charge.ts";
import { newScope, type Scope } from "../scopes/scope.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import { capBelow, stateTerms } from "./state-terms.ts";

/** Returns the account that a ledger begins with. */
export function begun(
  { budget, failureCap, failureCapEach, policyHash }: GenesisPayload,
  { sequence, at }: { readonly sequence: number; readonly at: number },
): Posting {
  if (!isStatedBudget(budget)) throw corrupt("its budget is none");
  const account: Account = {
    measure: budget.measure,
    meters: [accountMeter(newMeter(budget.measure, "ever", at))],
    closed: false,
    shut: false,
    showAccount: false,
    failures: 0,
    open: 0,
    failureCap,
    failureCapEach,
    policyHash,
    stated: { sequence, hash: "" },
    listsAnalysts: false,
    seen: at,
  };
  const posting = stateTerms({ account, scope: () => null, all: () => [] }, budget, sequence);
  if (capBelow(posting)) throw corrupt("more is reserved than is granted");
  return posting;
}

/** Returns what a grant leads to. Errors: ledger.corrupt where the scope has no such cap to add to. */
export function grantMore(
  books: Books,
  { scope: name, add: added, failures, policyHash }: GrantPayload,
): Posting {
  const more = readLimit(added);
  if (name[0] === "account") {
    const meters = raised(books.account.meters, more);
    // Whoever may go on failing is not named: the account and each principal may.
    const failureCap = books.account.failureCap + failures;
    const failureCapEach = books.account.failureCapEach + failures;
    return { account: { ...books.account, meters, policyHash, failureCap, failureCapEach }, scopes: [] };
  }
  const scope = books.scope(name) ?? newScope(books.account.measure, name);
  if (failures > 0 && name[0] !== "analyst") throw corrupt("failures are granted to what does not ask");
  const after: Scope = {
    ...scope,
    meters: raised(scope.meters, more),
    moreFailures: scope.moreFailures + failures,
  };
  return { account: { ...books.account, policyHash }, scopes: [after] };
}

function raised<M extends Meter>(meters: readonly M[], more: Limit): M[] {
  return meters.map((meter) => {
    if (meter.per !== "ever" || (more.main === null && more.delta === null)) return meter;
    const sum = (cap: Rational | null | undefined, added: Rational | null): Rational | null => {
      if (added === null) return cap ?? null;
      if (!cap) throw corrupt("a grant to a cap that is not stated");
      return add(cap, added);
    };
    return {
      ...meter,
      limit: { main: sum(meter.limit?.main, more.main), delta: sum(meter.limit?.delta, more.delta) },
    };
  });
}

/** Returns what a lowered, closed or opened scope leads to. Errors: ledger.corrupt where it may not become so. */
export function changeLimit(books: Books, payload: LimitPayload): Posting {
  const posting = limitChanged(books, payload);
  if (capBelow(posting)) throw corrupt("a cap is below what is spent");
  return posting;
}

/** The same, without asking whether caps cover what is spent. */
export function limitChanged(books: Books, { scope: name, what, cap }: LimitPayload): Posting {
  if ((what === "lower") !== (cap !== null))
    throw corrupt("a cap is stated where none is lowered, or none where one is");
  if (what === "revoke" && (name[0] !== "analyst" || name[1] === owner))
    throw corrupt("who is revoked is no analyst");
  if (what === "close" && name[0] === "analyst") throw corrupt("an analyst is revoked, not closed");
  const shut = what === "close" || what === "revoke";
  const isLower = what === "lower" && cap !== null;
  if (name[0] === "account") {
    const { account } = books;
    const changed = isLower
      ? { ...account, meters: lowered(account.meters, readLimit(cap)) }
      : { ...account, shut: shutAfter(account.shut, shut) };
    return { account: changed, scopes: [] };
  }
  const scope = books.scope(name) ?? newScope(books.account.measure, name);
  const after: Scope = isLower
    ? { ...scope, meters: lowered(scope.meters, readLimit(cap)) }
    : { ...scope, shut: shutAfter(scope.shut, shut) };
  const scopes = new Map([...books.all()].map((each) => [scopeKey(each.name), each]));
  scopes.set(scopeKey(name), after);
  return { account: withReservations(books.account, scopes.values()), scopes: [after] };
}

function shutAfter(before: boolean, after: boolean): boolean {
  if (before === after) throw corrupt("a scope is closed or opened that is so already");
  return after;
}

function lowered<M extends Meter>(meters: readonly M[], cap: Limit): M[] {
  return meters.map((meter) => {
    if (meter.per !== "ever") return meter;
    const before: Limit = meter.limit ?? { main: null, delta: null };
    for (const [to, from] of [
      [cap.main, before.main],
      [cap.delta, before.delta],
    ] as const) {
      if (to && from && compare(to, from) > 0) throw corrupt("a cap is raised that was to be lowered");
      if (to && compare(to, zero) < 0) throw corrupt("a cap is below 0");
    }
    const limit = lower(before, cap);
    return { ...meter, limit, reserved: meter.reserved && lower(meter.reserved, limit) };
  });
}
