import { invalidParameter, LetheError, type Rational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { advance } from "../records/advance.ts";
import type { Entry, LimitPayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { stateAt } from "../records/state.ts";
import { requireAmount, requireName } from "../request-limits.ts";
import { lifetimeOf } from "../scopes/account.ts";
import { type Limit, limitText } from "../scopes/limit.ts";
import { owner } from "../scopes/may-ask.ts";
import { isScopeName, type ScopeName, scopeWords } from "../scopes/scope-name.ts";
import type { Decision, Snapshot } from "../stores/store.ts";
import { limitChanged } from "../terms/change-terms.ts";
import { capBelow } from "../terms/state-terms.ts";
import { belowSpentOf } from "./below-spent.ts";

/** A change of the owner that holds whatever the policy says. A lowered cap holds until a budget is applied; what is closed or revoked stays so until it is reopened. */
export interface LimitChange {
  readonly scope: ScopeName;
  /** "close": a scope charges nothing more. "revoke": the same for an analyst. "reopen": takes either back. */
  readonly what: LimitPayload["what"];
  /** The cap over the lifetime from here on; with "lower" alone. */
  readonly cap?: { readonly main?: Rational | undefined; readonly delta?: Rational | undefined };
  /** Kept in the ledger for ever. */
  readonly reason: string;
}

/** Errors: parameter.invalid. */
export function requireLimit({ scope, what, cap, reason }: LimitChange): void {
  requireName(reason, "the reason");
  if (!isScopeName(scope)) throw invalidParameter("the scope", JSON.stringify(scope), "the name of a scope");
  if (what === "revoke" && scope[0] !== "analyst")
    throw invalidParameter("who is revoked", scopeWords(scope), "an analyst; close any other scope");
  if (what === "close" && scope[0] === "analyst")
    throw invalidParameter("what is closed", scopeWords(scope), "no analyst; an analyst is revoked");
  if (scope[0] === "analyst" && scope[1] === owner && what !== "lower")
    throw invalidParameter("who is revoked", owner, "an analyst: the owner may always ask");
  if (what !== "lower") {
    if (cap) throw invalidParameter("the cap", "stated", "left out unless a cap is lowered");
    return;
  }
  if (!cap?.main && !cap?.delta) throw invalidParameter("the cap", "nothing", "an ε, ρ or δ");
  if (cap.main) requireAmount(cap.main, "the cap");
  if (cap.delta) requireAmount(cap.delta, "the cap's δ");
}

/** Decides a change of one scope. Nothing is recorded where it is so already. Errors: ledger.budget (below what is spent), parameter.invalid. */
export function decideLimit(snapshot: Snapshot, change: LimitChange, at: number): Decision<null> {
  const { head, account, books, history, tree } = stateAt(snapshot, at);
  const { scope: name, what, reason } = change;
  const scope = name[0] === "account" ? null : books.scope(name);
  if (what !== "lower") {
    const isShut = name[0] === "account" ? account.shut : (scope?.shut ?? false);
    if (isShut === (what !== "reopen")) return { append: null, result: null };
  }
  const meter = name[0] === "account" ? lifetimeOf(account) : scope?.meters[0];
  const cap = what === "lower" ? capOf(change, meter?.limit ?? null, account.measure === "pure") : null;
  const payload: LimitPayload = { scope: name, what, cap: cap && limitText(cap), reason };
  const after = limitChanged(books, payload);
  const below = capBelow(after);
  if (below) throw belowSpentOf(after, below);
  const entry: Entry = { kind: "limit", payload };
  const posting = advance(books, entry, history, { sequence: head.sequence + 1, at });
  return { append: sealAfter(head, at, entry, posting, tree), result: null };
}

function capOf({ cap, scope }: LimitChange, before: Limit | null, isPure: boolean): Limit {
  const { main = null, delta = null } = cap ?? {};
  if (delta && isPure) throw invalidParameter("the cap's δ", "stated", "left out: a pure account has no δ");
  for (const [to, from] of [
    [main, before?.main],
    [delta, before?.delta],
  ] as const) {
    if (to && from && compare(to, from) > 0) throw notLower(scope);
    if (to && compare(to, zero) < 0) throw notLower(scope);
  }
  return { main, delta };
}

function notLower(scope: ScopeName): LetheError {
  return new LetheError("parameter.invalid", `the cap of ${scopeWords(scope)} would not be lowered`, {
    fix: "state less than it is; to raise it, lethe budget grant, or the policy and lethe budget apply",
    fields: { name: "cap" },
  });
}
