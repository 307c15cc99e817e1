import { LetheError } from "@lethe/core";
import type { LedgerHead } from "../ledger.ts";

/**
 * Refuses a ledger that does not hold a head that was kept elsewhere: `record` is the one in the head's place.
 * Errors: ledger.restored.
 */
export function requireKept(record: { readonly hash: string } | null | undefined, kept: LedgerHead): void {
  if (record?.hash === kept.hash) return;
  throw new LetheError(
    "ledger.restored",
    `the ledger does not contain record ${kept.sequence}, the head that was kept elsewhere`,
    {
      fix: "put the newest file of the ledger back; an older one forgets what was spent since. If it is lost, docs/how-to/run-the-service.md says how to go on from a backup",
      fields: { sequence: kept.sequence },
    },
  );
}
