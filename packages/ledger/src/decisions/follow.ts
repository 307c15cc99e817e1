import { LetheError, type PrivacyMeasure } from "@lethe/core";
import { changesOf, changeText, termsStated } from "../account/budget-changes.ts";
import { type StatedBudget, statedBefore } from "../account/stated-budget.ts";
import { corrupt } from "../records/corrupt.ts";
import { readFirstRecord, readRecord } from "../records/record.ts";
import type { Account } from "../scopes/account.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { budgetHash } from "../terms/state-terms.ts";

/** The policy that whoever asks goes by: its budget, the hash of that, and the hash of what its charges are about. */
export interface FollowedPolicy {
  readonly budget: StatedBudget;
  readonly budgetHash: string;
  readonly policyHash: string;
}

/**
 * Refuses a policy that is not the ledger's: other units, or a budget that was edited and not applied. Two hashes are compared, so that it costs
 * the same however many analysts are listed. Errors: policy.changed.
 */
export function requireFollowed(
  snapshot: Pick<Snapshot, "record">,
  account: Account,
  policy: FollowedPolicy,
): void {
  if (account.policyHash !== policy.policyHash) throw otherUnits();
  if (policy.budget.measure !== account.measure) throw otherMeasure(account, policy.budget);
  if (account.stated.hash === policy.budgetHash) return;
  throw otherBudget(statedIn(snapshot.record(account.stated.sequence)), policy.budget);
}

/** Returns the budget that a record states. Errors: ledger.corrupt for one that states none. */
export function statedIn(record: StoredRecord | null): StatedBudget {
  if (!record) throw corrupt("the record that states the budget is not there");
  const budget = laterBudget(record) ?? firstBudget(record);
  if (!budget) throw corrupt("it states no budget", record.sequence);
  return budget;
}

function laterBudget(record: StoredRecord): StatedBudget | null {
  if (record.kind === "genesis" && JSON.parse(record.payload).version !== 2) return null;
  if (record.kind === "apply" && !("budget" in JSON.parse(record.payload))) return null;
  const entry = readRecord(record);
  return entry.kind === "genesis" || entry.kind === "apply" ? entry.payload.budget : null;
}

function firstBudget(record: StoredRecord): StatedBudget | null {
  const entry = readFirstRecord(record);
  if (entry.kind !== "genesis" && entry.kind !== "apply") return null;
  const { cap, analysts } = entry.payload;
  const stated = statedBefore({ cap, analysts, closed: entry.kind === "apply" && entry.payload.closed });
  return stated;
}

export function otherUnits(): LetheError {
  return new LetheError(
    "policy.changed",
    "the policy names other tables or other units than the ledger was opened for",
    {
      fix: 'restore privacy_unit, tables and units; or accept the change on record: lethe budget grant --accept-policy --reason "…"',
    },
  );
}

/** The error policy.changed for another measure, under which what was spent could not be counted. */
export function otherMeasure(
  { measure }: { readonly measure: PrivacyMeasure },
  { measure: stated }: Pick<StatedBudget, "measure">,
): LetheError {
  return new LetheError(
    "policy.changed",
    `the policy's budget is ${stated}, and the ledger counts in ${measure}: what was spent in the one cannot be counted in the other`,
    {
      fix: `write measure: ${measure} again, with the numbers of that measure; a ledger keeps its measure for good`,
      fields: { measure },
    },
  );
}

function otherBudget(held: StatedBudget, stated: StatedBudget): LetheError {
  const differences = changesOf(termsStated(held), termsStated(stated)).map(changeText);
  return new LetheError(
    "policy.changed",
    `the policy's budget was edited, and the ledger holds the one before: ${differences.join("; ")}`,
    {
      fix: "lethe budget apply shows what it would change and puts it on record; or write the budget as it was",
      fields: { differences: differences.join("; ") },
    },
  );
}

/** Returns a policy as a ledger follows it. */
export function followedPolicy(budget: StatedBudget, policyHash: string): FollowedPolicy {
  return { budget, budgetHash: budgetHash(budget), policyHash };
}
