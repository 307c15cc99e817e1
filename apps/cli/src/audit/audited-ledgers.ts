import { type AlikeLedgers, alikeLedgers } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import { temporaryFolder } from "../temporary-folder.ts";

/** The clock of every audited house stands still. */
export const clock = (): number => 0;

/** New ledgers of the policy's budget. */
export async function auditedLedgers(policy: Policy): Promise<AlikeLedgers> {
  const folder = temporaryFolder();
  const { budget } = policy;
  const options = { budget, policyHash: unitHash(policy), source: "audited", clock };
  const ledgers = await alikeLedgers(options, folder.path);
  return { open: () => ledgers.open(), remove: folder.remove };
}
