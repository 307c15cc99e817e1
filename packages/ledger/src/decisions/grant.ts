import {
  invalidParameter,
  LetheError,
  lossToJson,
  type PrivacyLoss,
  type Rational,
  toText,
} from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import type { Balance } from "../account/balance.ts";
import { deltaOf, mainOf, withDelta, withMain } from "../account/main-number.ts";
import { advance } from "../records/advance.ts";
import type { Entry, GrantPayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { readState } from "../records/state.ts";
import { requireAmount, requireName } from "../request-limits.ts";
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
  /** Added to the account's δ. */
  readonly delta?: Rational;
  /** Raises this analyst's sub-cap instead of the account's cap; who is an analyst the policy says alone. */
  readonly analyst?: string;
  /** Further executions that may fail. */
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
    if (delta || (!epsilon && !rho)) {
      throw invalidParameter("a grant to an analyst", analyst, "an ε or ρ to add, and no δ");
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

export function decideGrant(snapshot: Snapshot, grant: Grant, at: number): Decision<null> {
  const { head, balance, history } = readState(snapshot);
  const entry: Entry = { kind: "grant", payload: raised(balance, grant) };
  return { append: sealAfter(head, at, entry, advance(balance, entry, history)), result: null };
}

function raised(balance: Balance, grant: Grant): GrantPayload {
  const amount = mainAmount(balance.granted, grant);
  const subCaps = new Map([...balance.analysts].map(([name, { granted }]) => [name, granted]));
  let cap = balance.granted;
  if (grant.analyst !== undefined && amount) {
    const before = subCaps.get(grant.analyst);
    if (!before) throw notListed(grant.analyst);
    subCaps.set(grant.analyst, add(before, amount));
  } else if (amount) {
    cap = withMain(cap, add(mainOf(cap), amount));
  }
  return {
    cap: lossToJson(grant.delta ? raisedDelta(cap, grant.delta) : cap),
    analysts: [...subCaps]
      .map(([name, sub]) => ({ name, cap: toText(sub) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    failureCap: balance.failureCap + (grant.failures ?? 0),
    policyHash: grant.policyHash ?? balance.policyHash,
    reason: grant.reason,
  };
}

/** A grant makes nobody an analyst: whoever was taken off the list would begin again with nothing spent. */
function notListed(analyst: string): LetheError {
  return new LetheError("parameter.invalid", `${analyst} is not an analyst of this account`, {
    fix: "list the name with its share under analysts in the policy's budget, then lethe budget apply",
    fields: { name: "analyst" },
  });
}

/** Returns the amount that is added to the number the account is kept in: ε or ρ. Errors: parameter.invalid for the other number. */
function mainAmount(cap: PrivacyLoss, { epsilon, rho }: Grant): Rational | undefined {
  const [own, other, name] = "rho" in cap ? [rho, epsilon, "ρ"] : [epsilon, rho, "ε"];
  if (other)
    throw invalidParameter("the amount to add", toText(other), `stated as ${name}, as the account is`);
  return own;
}

function raisedDelta(cap: PrivacyLoss, amount: Rational): PrivacyLoss {
  const delta = deltaOf(cap);
  if (!delta) throw invalidParameter("the δ to add", toText(amount), "left out: a pure account has no δ");
  return withDelta(cap, add(delta, amount));
}
