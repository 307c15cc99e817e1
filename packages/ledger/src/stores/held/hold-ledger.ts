import { existingLayout, storeUrl } from "../open-store.ts";
import type { HeldLedger, HoldingService } from "./held-ledger.ts";
import { holdFile } from "./hold-file.ts";
import { holdTables } from "./hold-tables.ts";

/**
 * Holds a ledger for the one service that answers from it, until it is released or the process ends in whatever way. Commands that charge the ledger beside the service need it not: each of their decisions is a transaction of its own.
 * Errors: ledger.served where another service holds it; ledger.missing, ledger.unreadable; where its records lie in PostgreSQL, those of openPostgresStore.
 * @param directory the ledger's, by whatever path
 * @param service null where there is one process, which holds the directory alone
 */
export async function holdLedger(
  directory: string,
  service: HoldingService | null = null,
): Promise<HeldLedger> {
  const files = existingLayout(directory);
  const here = await holdFile(files, service?.number ?? null);
  const url = storeUrl(files);
  if (url === null || service === null) return here;
  try {
    const there = await holdTables(url, service);
    return {
      release() {
        there.release();
        here.release();
      },
    };
  } catch (error) {
    here.release();
    throw error;
  }
}
