import { LetheError } from "@lethe/core";
import { AccountLedger, type AccountPolicy } from "./account-ledger.ts";
import { type KeyPair, readKeyPair } from "./directory/key-pair.ts";
import type { Layout } from "./directory/layout.ts";
import { corrupt } from "./records/corrupt.ts";
import { beginsFirstFormat, readFirstRecord, readRecord } from "./records/record.ts";
import { readState } from "./records/state.ts";
import { keepHead, requireKeptHead } from "./stores/keep-head.ts";
import { existingLayout, openStore } from "./stores/open-store.ts";
import type { Store, StoredRecord } from "./stores/store.ts";

export interface OpenLedgerOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /**
   * A file that keeps the ledger's head, on another disk than the ledger: an older ledger put back is refused, and every
   * record is written down there before it is told of. `createLedger` makes it, or `verifyLedger` with `makeHeadFile`.
   */
  readonly headFile?: string | undefined;
  /**
   * The policy of whoever asks: refused where the account is not that policy's, now or by the time of a charge. Without it any
   * caller is charged under the account as it is.
   */
  readonly policy?: AccountPolicy | undefined;
}

/**
 * Opens the ledger that {@link createLedger} made, wherever its records are; creates nothing. The last record and the balance are checked, the
 * whole chain only by verifyLedger.
 * Errors: ledger.missing, ledger.unreadable (no ledger, another version, no permission, no key), ledger.corrupt,
 * ledger.restored (an older ledger than the head file knows), ledger.moved, ledger.server (its database or the role there), policy.changed (a budget or units that are not the account's).
 */
export async function openLedger(
  directory: string,
  { clock, headFile, policy }: OpenLedgerOptions,
): Promise<AccountLedger> {
  const files = existingLayout(directory);
  const keys = readKeyPair(files.privateKey);
  const store = await openStore(files);
  try {
    const genesis = await checkedGenesis(store, keys, files);
    if (headFile !== undefined) await requireKeptHead(store, headFile);
    const kept = headFile === undefined ? store : keepHead(store, headFile);
    const ledger = new AccountLedger(genesis.source, kept, keys, clock, policy);
    await ledger.requirePolicy();
    return ledger;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function checkedGenesis(store: Store, keys: KeyPair, files: Layout): Promise<GenesisNames> {
  const genesis = await store.look(null, (snapshot) => {
    readState(snapshot);
    return genesisNames(snapshot.record(0));
  });
  if (genesis.publicKey !== keys.publicKey) {
    throw new LetheError("ledger.unreadable", `${files.privateKey} is not the key of this ledger`, {
      fix: "restore the key that belongs to it from a backup",
      fields: { path: files.privateKey },
    });
  }
  return genesis;
}

/** What the first record names, of whichever format. */
interface GenesisNames {
  readonly source: string;
  readonly publicKey: string;
}

function genesisNames(record: StoredRecord | null): GenesisNames {
  const none = corrupt("it does not begin with its genesis record", 0);
  if (record?.kind !== "genesis") throw none;
  const entry = beginsFirstFormat(record) ? readFirstRecord(record) : readRecord(record);
  if (entry.kind !== "genesis") throw none;
  return entry.payload;
}
