import { type AlikeLedgers, alikeLedgers } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";

/** The clock of every replayed house stands still. */
export const clock = (): number => 1_718_100_000_000;

/** New ledgers of the policy's budget. */
export function newLedgers(policy: Policy): Promise<AlikeLedgers> {
  return alikeLedgers({ budget: policy.budget, policyHash: unitHash(policy), source: "people", clock });
}
