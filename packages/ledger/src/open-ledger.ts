import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { AccountLedger, type AccountPolicy } from "./account-ledger.ts";
import { fileError, systemCode } from "./directory/file-error.ts";
import { flushNames } from "./directory/flush-names.ts";
import { type KeyPair, readKeyPair } from "./directory/key-pair.ts";
import { type Layout, layout } from "./directory/layout.ts";
import { corrupt } from "./records/corrupt.ts";
import { beginsFirstFormat, readFirstRecord, readRecord } from "./records/record.ts";
import { readState } from "./records/state.ts";
import { keepHead, requireKeptHead } from "./stores/keep-head.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
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
 * Opens the ledger that {@link createLedger} made; creates nothing. The last record and the balance are checked, the
 * whole chain only by verifyLedger.
 * Errors: ledger.missing, ledger.unreadable (no ledger, another version, no permission, no key), ledger.corrupt,
 * ledger.restored (an older ledger than the head file knows), policy.changed (a budget or units that are not the account's).
 */
export async function openLedger(
  directory: string,
  { clock, headFile, policy }: OpenLedgerOptions,
): Promise<AccountLedger> {
  const files = existingLayout(directory);
  const keys = readKeyPair(files.privateKey);
  requireNames(files.database);
  const store = await openSqliteStore(files.database);
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

/** Errors: ledger.missing; ledger.unreadable when a permission hides whether there is one. */
export function existingLayout(directory: string): Layout {
  const files = layout(resolve(directory));
  try {
    statSync(files.database);
    return files;
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(systemCode(error))) throw fileError(files.database, error);
    throw new LetheError("ledger.missing", `there is no ledger in ${resolve(directory)}`, {
      fix: "create one with lethe init; if there was one, restore it from a backup: a new one forgets what was spent",
      fields: { path: files.database },
    });
  }
}

/** Makes the names of the ledger's files durable. Its maker may have been killed before that, and then no charge in it would be durable. */
function requireNames(database: string): void {
  try {
    // The directory of the ledger, the one it lies in, and that one's: lethe init makes .lethe and .lethe/ledger.
    flushNames(dirname(database), 3);
  } catch (error) {
    throw fileError(database, error);
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
