import { layout } from "./directory/layout.ts";
import { storeUrl } from "./stores/open-store.ts";

/**
 * Returns where a ledger's records are, as a connection URL without a password; null where they lie in a file of its directory. Errors: ledger.unreadable.
 * @example ledgerUrl(".lethe/ledger") // => null
 */
export function ledgerUrl(directory: string): string | null {
  return storeUrl(layout(directory));
}
