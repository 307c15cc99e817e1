import { LetheError } from "@lethe/core";
import type { Balance } from "../account/balance.ts";
import { changesOf, changeText, termsStated } from "../account/budget-changes.ts";
import { sameBudget } from "../account/stated-budget.ts";
import type { StatedBudget } from "../records/entry.ts";

/** The policy that whoever asks goes by: its budget, and the hash of what its charges are about. */
export interface FollowedPolicy {
  readonly budget: StatedBudget;
  readonly policyHash: string;
}

/**
 * Refuses a policy that is not the ledger's: other units, or a budget that was edited and not applied. `begun` is the budget that
 * the ledger was made with. Errors: policy.changed.
 */
export function requireFollowed(balance: Balance, begun: StatedBudget, policy: FollowedPolicy): void {
  if (balance.policyHash !== policy.policyHash) throw otherUnits();
  const held = balance.stated ?? begun;
  if (policy.budget.cap.measure !== balance.measure) throw otherMeasure(balance, policy.budget);
  if (!sameBudget(held, policy.budget)) throw otherBudget(held, policy.budget);
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
export function otherMeasure({ measure }: Pick<Balance, "measure">, { cap }: StatedBudget): LetheError {
  return new LetheError(
    "policy.changed",
    `the policy's budget is ${cap.measure}, and the ledger counts in ${measure}: what was spent in the one cannot be counted in the other`,
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
