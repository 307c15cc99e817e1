import { LetheError, type PrivacyLoss } from "@lethe/core";
import { zeroLoss } from "@lethe/core/accounting";
import type { AccountBudget } from "../account/budget.ts";
import { type BudgetChange, changesOf, exactText, termsOf, termsStated } from "../account/budget-changes.ts";
import { mainOf } from "../account/main-number.ts";
import { type StatedBudget, statedBudget } from "../account/stated-budget.ts";
import { advance } from "../records/advance.ts";
import type { ApplyPayload, Entry, Renaming } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { stateAt } from "../records/state.ts";
import { requireName } from "../request-limits.ts";
import { lifetimeOf } from "../scopes/account.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import type { Decision, Snapshot } from "../stores/store.ts";
import { replaced } from "../terms/replace-terms.ts";
import { budgetHash, capBelow } from "../terms/state-terms.ts";
import { belowSpentOf } from "./below-spent.ts";
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
  application: Application,
  { shown, at }: { shown: readonly BudgetChange[] | null; at: number },
): Decision<BudgetProposal> {
  const { head, account, books, history, tree } = stateAt(snapshot, at);
  const budget = statedBudget(application.budget);
  if (budget.measure !== account.measure) throw otherMeasure(account, budget);
  if (application.policyHash !== account.policyHash) throw otherUnits();
  const before = termsOf(account, books.all());
  if (budgetHash(budget) === account.stated.hash && changesOf(before, termsStated(budget)).length === 0) {
    return { append: null, result: { changes: [], spent: spentOf(books, budget, null), needed: false } };
  }
  const renaming = renamingOf(application, books, budget);
  const changes = statedIfNone(changesOf(before, termsStated(budget), renaming));
  if (shown !== null && JSON.stringify(changes) !== JSON.stringify(shown)) throw changedMeanwhile();
  const sequence = head.sequence + 1;
  const after = replaced(books, { budget, renamed: renaming }, sequence);
  const below = capBelow(after);
  if (below) throw belowSpentOf(after, below);
  const reason = application.reason === undefined ? "" : requireName(application.reason, "the reason");
  const payload: ApplyPayload = { budget, renamed: renaming, reason };
  const entry: Entry = { kind: "apply", payload };
  const append = sealAfter(head, at, entry, advance(books, entry, history, { sequence, at }), tree);
  return { append, result: { changes, spent: spentOf(books, budget, after), needed: true } };
}

/** The changes to show. Where grants had raised the account to what the policy states now, only the statement is new. */
export function statedIfNone(changes: readonly BudgetChange[]): readonly BudgetChange[] {
  return changes.length > 0 ? changes : [{ how: "stated", what: "what was granted", from: null, to: null }];
}

function spentOf(books: Books, { scopes }: StatedBudget, after: Posting | null): BudgetSpent {
  const { account } = books;
  const changed = new Map((after?.scopes ?? []).map((scope) => [scopeKey(scope.name), scope]));
  const names = scopes.flatMap(({ name }) => (name[0] === "analyst" ? [name] : []));
  const own = (name: (typeof names)[number]): PrivacyLoss =>
    (changed.get(scopeKey(name)) ?? books.scope(name))?.meters[0]?.spent ?? zeroLoss(account.measure);
  const { spent } = lifetimeOf(account);
  return {
    account: exactText(mainOf(spent)),
    analysts: Object.fromEntries(names.map((name) => [name[1], exactText(mainOf(own(name)))])),
  };
}

/** Pairs the names that are given up with those that are taken up. Errors: parameter.invalid for a name that is neither. */
function renamingOf({ renamed = {} }: Application, books: Books, { scopes }: StatedBudget): Renaming[] {
  const listed = new Set(scopes.flatMap(({ name }) => (name[0] === "analyst" ? [name[1]] : [])));
  const wasListed = (name: string): boolean => books.scope(["analyst", name])?.listed ?? false;
  const renaming = Object.entries(renamed).map(([from, to]) => ({ from, to }));
  for (const { from, to } of renaming) {
    if (!wasListed(from) || listed.has(from))
      throw refusedName(
        `${from} is not an analyst whom the policy gave up`,
        "rename one whom the ledger lists and the policy no longer does",
      );
    if (wasListed(to) || !listed.has(to))
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

function changedMeanwhile(): LetheError {
  return new LetheError(
    "ledger.busy",
    "somebody else changed the budget while this change was shown; nothing was recorded",
    {
      fix: "look at it again: lethe budget apply",
    },
  );
}
