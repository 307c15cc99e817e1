import { existsSync } from "node:fs";
import { type AccountLedger, type AccountPolicy, openLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import type { Workspace } from "./workspace.ts";

/** A policy as its ledger follows it: the budget, and the units that charges are about. */
export function accountPolicy(policy: Policy): AccountPolicy {
  return { budget: policy.budget, policyHash: unitHash(policy) };
}

/**
 * Where the policy has a ledger, refuses a budget that is not the account's: edited and not applied. Before there is one every
 * budget will do, and so will other units: charges ask about those. Errors: policy.changed, ledger.*.
 */
export function requireOwnBudget(workspace: Workspace, { budget }: Policy): Promise<void> {
  return askedOf(workspace, async (ledger) =>
    ledger.requirePolicy({ budget, policyHash: await ledger.policyHash() }),
  );
}

/** The same of the units too: all that a charge would ask. */
export function requireOwnAccount(workspace: Workspace, policy: Policy): Promise<void> {
  return askedOf(workspace, (ledger) => ledger.requirePolicy(accountPolicy(policy)));
}

async function askedOf({ ledger }: Workspace, ask: (ledger: AccountLedger) => Promise<void>): Promise<void> {
  if (!existsSync(ledger)) return;
  const opened = await openLedger(ledger, { clock: Date.now });
  try {
    await ask(opened);
  } finally {
    await opened.close();
  }
}
