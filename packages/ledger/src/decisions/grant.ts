import { invalidParameter, LetheError, type Rational, toText } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { advance } from "../records/advance.ts";
import type { Entry, GrantPayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { stateAt } from "../records/state.ts";
import { requireAmount, requireName } from "../request-limits.ts";
import { lifetimeOf } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import { limitText } from "../scopes/limit.ts";
import type { ScopeName } from "../scopes/scope-name.ts";
import type { Decision, Snapshot } from "../stores/store.ts";

/**
 * An addition of the owner to the budget that the policy states. It holds until a budget is applied. Nothing can be taken away. At least one
 * member besides the reason is stated.
 */
export interface Grant {
  /** Added to the ε of a pure or approximate account, or of `analyst`. */
  readonly epsilon?: Rational;
  /** Added to the ρ of a zcdp account, or of `analyst`. */
  readonly rho?: Rational;
  /** Added to the δ of the account, or of `analyst`, whose share then has a δ. */
  readonly delta?: Rational;
  /** Raises this analyst's sub-cap instead of the account's cap; who is an analyst the policy says alone. */
  readonly analyst?: string;
  /** Further executions that may fail: of the account, or of `analyst`. */
  readonly failures?: number;
  /** The policy as it stands now, where it changed. */
  readonly policyHash?: string;
  /** Kept in the ledger for ever. */
  readonly reason: string;
}

export function requireGrant(grant: Grant): void {
  const { epsilon, rho, delta, analyst, failures, policyHash, reason } = grant;
  requireName(reason, "the reason");
  if (epsilon) requireAddition(epsilon, "the ε to add");
  if (rho) requireAddition(rho, "the ρ to add");
  if (delta) requireAddition(delta, "the δ to add");
  if (failures !== undefined && !(Number.isSafeInteger(failures) && failures >= 1)) {
    throw invalidParameter("the failures to add", failures, "a whole number ≥ 1");
  }
  if (analyst !== undefined) {
    requireName(analyst, "the analyst");
    if (!delta && !epsilon && !rho && failures === undefined) {
      throw invalidParameter("a grant to an analyst", analyst, "an ε, ρ or δ to add, or failures");
    }
  }
  if (!epsilon && !rho && !delta && failures === undefined && policyHash === undefined) {
    throw invalidParameter("the grant", "nothing", "something to add");
  }
}

/** Refuses a grant of 0, whose record would say nothing. */
function requireAddition(amount: Rational, what: string): void {
  if (!(compare(requireAmount(amount, what), zero) > 0)) throw invalidParameter(what, toText(amount), "> 0");
}

/** Decides what is added. Errors: parameter.invalid where there is nothing to add to. */
export function decideGrant(snapshot: Snapshot, grant: Grant, at: number): Decision<null> {
  const { head, books, history, tree } = stateAt(snapshot, at);
  const entry: Entry = { kind: "grant", payload: payloadOf(books, grant) };
  const posting = advance(books, entry, history, { sequence: head.sequence + 1, at });
  return { append: sealAfter(head, at, entry, posting, tree), result: null };
}

function payloadOf(books: Books, grant: Grant): GrantPayload {
  const { analyst, delta = null, failures = 0, reason } = grant;
  const { account } = books;
  const scope: ScopeName = analyst === undefined ? ["account"] : ["analyst", analyst];
  const held = analyst === undefined ? null : books.scope(scope);
  if (analyst !== undefined && !held?.listed) throw notListed(analyst);
  const main = mainAmount(account.measure === "zcdp", grant);
  if (delta && account.measure === "pure")
    throw invalidParameter("the δ to add", toText(delta), "left out: a pure account has no δ");
  const { limit } = held?.meters[0] ?? lifetimeOf(account);
  if ((main && !limit?.main) || (delta && !limit?.delta)) throw notLimited(scope);
  return {
    scope,
    add: limitText({ main, delta }),
    failures,
    policyHash: grant.policyHash ?? account.policyHash,
    reason,
  };
}

/** A grant makes nobody an analyst: whoever was taken off the list would begin again with nothing spent. */
function notListed(analyst: string): LetheError {
  return new LetheError("parameter.invalid", `${analyst} is not an analyst of this account`, {
    fix: "list the name with its share under analysts in the policy's budget, then lethe budget apply",
    fields: { name: "analyst" },
  });
}

/** Adding to what has no cap would make one. */
function notLimited([kind, name]: ScopeName): LetheError {
  const what =
    kind === "account"
      ? "the account has no such cap over its lifetime"
      : `${name}'s share limits no such number`;
  return new LetheError("parameter.invalid", `${what}, so there is nothing to add to`, {
    fix: "write the cap into the policy's budget, then lethe budget apply",
    fields: { name: "grant" },
  });
}

/** Returns the amount that is added to the number the account is kept in: ε or ρ. Errors: parameter.invalid for the other number. */
function mainAmount(isZcdp: boolean, { epsilon, rho }: Grant): Rational | null {
  const [own, other, name] = isZcdp ? [rho, epsilon, "ρ"] : [epsilon, rho, "ε"];
  if (other)
    throw invalidParameter("the amount to add", toText(other), `stated as ${name}, as the account is`);
  return own ?? null;
}
