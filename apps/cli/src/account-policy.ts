import { existsSync } from "node:fs";
import { type AccountLedger, type AccountPolicy, openLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import type { Workspace } from "./workspace.ts";

/** The ledger follows these parts of a policy: the budget, and the units that charges are about. */
export function accountPolicy(policy: Policy): AccountPolicy {
  return { budget: policy.budget, policyHash: unitHash(policy) };
}

/**
 * Refuses a budget that is not the account's because it was edited and not applied. Where the policy has no ledger yet, every budget
 * will do. Units are not looked at: a charge asks about those. Errors: policy.changed, ledger.*.
 */
export function requireOwnBudget(workspace: Workspace, { budget }: Policy): Promise<void> {
  return askedOf(workspace, async (ledger) =>
    ledger.requirePolicy({ budget, policyHash: await ledger.policyHash() }),
  );
}

/** Refuses a budget or units that are not the account's, which is all that a charge would ask. Errors: policy.changed, ledger.*. */
export function requireOwnAccount(workspace: Workspace, policy: Policy): Promise<void> {
  return askedOf(workspace, (ledger) => ledger.requirePolicy(accountPolicy(policy)));
}

/** Asks the policy's ledger, if there is one. */
async function askedOf({ ledger }: Workspace, ask: (ledger: AccountLedger) => Promise<void>): Promise<void> {
  if (!existsSync(ledger)) return;
  const opened = await openLedger(ledger, { clock: Date.now });
  try {
    await ask(opened);
  } finally {
    await opened.close();
  }
}
