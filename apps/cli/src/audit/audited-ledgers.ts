import { type AlikeLedgers, alikeLedgers } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import { removedAtEnd } from "./removed-at-end.ts";

/** The clock of every audited house stands still. */
export const clock = (): number => 0;

/** New ledgers of the policy's budget. */
export async function auditedLedgers(policy: Policy): Promise<AlikeLedgers> {
  const { budget } = policy;
  const ledgers = await alikeLedgers({ budget, policyHash: unitHash(policy), source: "audited", clock });
  return { open: () => ledgers.open(), remove: removedAtEnd(() => ledgers.remove()) };
}
