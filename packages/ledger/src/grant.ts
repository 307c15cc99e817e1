import type { Grant } from "./decisions/grant.ts";
import type { BudgetReport } from "./ledger.ts";
import { type OpenLedgerOptions, openLedger } from "./open-ledger.ts";

/**
 * Raises a cap, a sub-cap or the number of failures allowed; a record of the ledger like any other. Returns the account
 * as it then stands.
 * Errors: as openLedger, and parameter.invalid for a grant that adds nothing or does not suit the account's measure.
 * @example await grant(".lethe/ledger", { epsilon: one, reason: "second quarter" }, { clock: Date.now });
 */
export async function grant(
  directory: string,
  added: Grant,
  options: OpenLedgerOptions,
): Promise<BudgetReport> {
  const ledger = await openLedger(directory, options);
  try {
    await ledger.grant(added);
    return await ledger.report();
  } finally {
    await ledger.close();
  }
}
