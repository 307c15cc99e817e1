import { LetheError, lossFromJson, parseRational, type Rational } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { compare, zero } from "@lethe/core/numeric";
import type { Balance } from "../account/balance.ts";
import type { AccountBudget } from "../account/budget.ts";
import { type BudgetChange, changesOf, exactText, termsOf, termsStated } from "../account/budget-changes.ts";
import { deltaOf, mainOf, symbolOf } from "../account/main-number.ts";
import { sameBudget, statedBudget } from "../account/stated-budget.ts";
import { advance } from "../records/advance.ts";
import type { ApplyPayload, Entry, Renaming, StatedBudget } from "../records/entry.ts";
import { type PastCharges, rememberCharge, renamed } from "../records/past-charges.ts";
import { readRecord, sealAfter } from "../records/record.ts";
import { readState } from "../records/state.ts";
import { requireName } from "../request-limits.ts";
import type { Decision, Snapshot, StoredRecord } from "../stores/store.ts";
import { otherMeasure, otherUnits } from "./follow.ts";

/** A policy's budget that the ledger is to hold. */
export interface Application {
  readonly budget: AccountBudget;
  /** Hash of the units that the policy protects: those of the ledger. */
  readonly policyHash: string;
  /** Analysts who go on under another name, by the old one; any other name that the policy lists no longer may not ask. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Kept in the ledger for ever. */
  readonly reason?: string;
}

/** The effect of applying a budget to an account, shown before it is done. */
export interface BudgetProposal {
  readonly changes: readonly BudgetChange[];
  /** The amounts that the account and each analyst whom the policy lists have spent. */
  readonly spent: BudgetSpent;
  /** Whether there is anything to put on record. */
  readonly needed: boolean;
}

export interface BudgetSpent {
  readonly account: string;
  readonly analysts: Readonly<Record<string, string>>;
}

/**
 * Decides the record that puts the policy's budget, exactly, in place of the account's; there is none where the account has it already. `shown`
 * holds the changes that somebody agreed to. If somebody else has changed the budget since, so that these are no longer the changes, nothing
 * is recorded. Errors: policy.changed (another measure, other units), ledger.budget (below what is spent), ledger.busy, parameter.invalid.
 */
export function decideApply(
  snapshot: Snapshot,
  past: () => readonly StoredRecord[],
  application: Application,
  { begun, shown, at }: { begun: StatedBudget; shown: readonly BudgetChange[] | null; at: number },
): Decision<BudgetProposal> {
  const { head, balance, history } = readState(snapshot);
  const budget = statedBudget(application.budget);
  if (budget.cap.measure !== balance.measure) throw otherMeasure(balance, budget);
  if (application.policyHash !== balance.policyHash) throw otherUnits();
  const charges = chargesOf(past());
  const spent = (renaming: readonly Renaming[]): BudgetSpent =>
    spentOf(balance, budget, renamed(charges, renaming));
  if (
    sameBudget(budget, balance.stated ?? begun) &&
    changesOf(termsOf(balance), termsStated(budget)).length === 0
  ) {
    return { append: null, result: { changes: [], spent: spent([]), needed: false } };
  }
  const renaming = renamingOf(application, balance, budget);
  const changes = statedIfNone(changesOf(termsOf(balance), termsStated(budget), renaming));
  if (shown !== null && JSON.stringify(changes) !== JSON.stringify(shown)) throw changedMeanwhile();
  requireNotBelow(balance, budget, renamed(charges, renaming));
  const { failureCap, policyHash } = balance;
  const reason = application.reason === undefined ? "" : requireName(application.reason, "the reason");
  const payload: ApplyPayload = { ...budget, failureCap, policyHash, renamed: renaming, reason };
  const entry: Entry = { kind: "apply", payload };
  const append = sealAfter(head, at, entry, advance(balance, entry, history, charges));
  return { append, result: { changes, spent: spent(renaming), needed: true } };
}

/** The changes to show. Where grants had raised the account to what the policy states now, only the statement is new. */
export function statedIfNone(changes: readonly BudgetChange[]): readonly BudgetChange[] {
  return changes.length > 0 ? changes : [{ how: "stated", what: "what was granted", from: null, to: null }];
}

function chargesOf(records: readonly StoredRecord[]): PastCharges {
  const past = new Map<string, Rational>();
  for (const record of records) rememberCharge(past, readRecord(record));
  return past;
}

function spentOf(balance: Balance, { analysts }: StatedBudget, past: PastCharges): BudgetSpent {
  return {
    account: exactText(mainOf(balance.spent)),
    analysts: Object.fromEntries(analysts.map(({ name }) => [name, exactText(past.get(name) ?? zero)])),
  };
}

/** Pairs the names that are given up with those that are taken up. Errors: parameter.invalid for a name that is neither. */
function renamingOf({ renamed = {} }: Application, balance: Balance, { analysts }: StatedBudget): Renaming[] {
  const listed = new Set(analysts.map(({ name }) => name));
  const renaming = Object.entries(renamed).map(([from, to]) => ({ from, to }));
  for (const { from, to } of renaming) {
    if (!balance.analysts.has(from) || listed.has(from))
      throw refusedName(
        `${from} is not an analyst whom the policy gave up`,
        "rename one whom the ledger lists and the policy no longer does",
      );
    if (balance.analysts.has(to) || !listed.has(to))
      throw refusedName(
        `${to} is not a new analyst of the policy`,
        "rename to a name that the policy lists and the ledger does not",
      );
  }
  if (new Set(Object.values(renamed)).size < renaming.length)
    throw refusedName("two analysts are renamed to one", "give each a name of its own");
  return renaming.sort((a, b) => (a.from < b.from ? -1 : 1));
}

function refusedName(message: string, fix: string): LetheError {
  return new LetheError("parameter.invalid", message, { fix, fields: { name: "rename" } });
}

/** Refuses a budget below what is spent, since nothing that was told can be taken back. Errors: ledger.budget. */
function requireNotBelow(balance: Balance, { cap, analysts }: StatedBudget, past: PastCharges): void {
  const granted = lossFromJson(cap);
  const symbol = symbolOf(balance.measure);
  if (!lossFits(balance.spent, granted)) {
    const [delta, floor] = [deltaOf(balance.spent), deltaOf(granted)];
    const isMain = compare(mainOf(balance.spent), mainOf(granted)) > 0;
    const least = isMain ? `${symbol} ${exactText(mainOf(balance.spent))}` : `δ ${exactText(delta ?? zero)}`;
    const stated = isMain ? exactText(mainOf(granted)) : exactText(floor ?? zero);
    throw belowSpent("the budget", stated, least);
  }
  for (const { name, cap } of analysts) {
    const spent = past.get(name) ?? zero;
    if (compare(spent, parseRational(cap)) > 0)
      throw belowSpent(`${name}'s share`, exactText(parseRational(cap)), `${symbol} ${exactText(spent)}`);
  }
}

function belowSpent(what: string, stated: string, least: string): LetheError {
  return new LetheError(
    "ledger.budget",
    `${what} cannot be ${stated}: ${least} is spent, and what was released cannot be taken back`,
    {
      fix: `state at least ${least}; to let nothing more be charged write closed: true in the budget, or take an analyst off the list`,
      fields: { stated, spent: least },
    },
  );
}

function changedMeanwhile(): LetheError {
  return new LetheError(
    "ledger.busy",
    "somebody else changed the budget while this change was shown; nothing was recorded",
    {
      fix: "look at it again: lethe budget apply",
    },
  );
}
