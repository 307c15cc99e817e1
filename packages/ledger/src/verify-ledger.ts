import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PrivacyLoss } from "@lethe/core";
import { grantedOf } from "./decisions/left-for.ts";
import { fileError } from "./directory/file-error.ts";
import { readHead, requireHeadFile, writeHead } from "./directory/head-file.ts";
import type { Layout } from "./directory/layout.ts";
import type { LedgerHead } from "./ledger.ts";
import { corrupt } from "./records/corrupt.ts";
import { requireKept } from "./records/kept-head.ts";
import { replay } from "./records/replay.ts";
import { lifetimeOf } from "./scopes/account.ts";
import { advanceHead } from "./stores/keep-head.ts";
import { existingLayout, openStore, readStore } from "./stores/open-store.ts";

export interface VerifyLedgerOptions {
  /** A head seen earlier and kept elsewhere, such as in a release's certificate: shows that nothing after it is gone. */
  readonly head?: LedgerHead;
  /** The same, kept in a file: compared, and then written with the head as it is now. */
  readonly headFile?: string | undefined;
  /**
   * Makes that file where there is none. Someone's word, never a habit: where the disk that it is kept on is not mounted, a
   * file made anew would take an older ledger for the newest.
   */
  readonly makeHeadFile?: boolean;
}

/** The verified facts about a ledger: every record, sum and cap was recomputed. */
export interface LedgerVerification {
  readonly source: string;
  readonly records: number;
  readonly charges: number;
  /** null: no cap over the lifetime. */
  readonly granted: PrivacyLoss | null;
  readonly spent: PrivacyLoss;
  /** Keep it elsewhere: a later verification against it detects a restored older file. */
  readonly head: LedgerHead;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Whether it is of the first format, which is read here and charged no more: lethe ledger upgrade goes on with it. */
  readonly isFirst: boolean;
}

/**
 * Recomputes the ledger from its records: hashes, sequence, sums, every cap at every record, one charge and one answer
 * a request, the stored releases, the balance and the scopes kept beside them, the public key. Needs no private key.
 * Errors: ledger.corrupt with `fields.sequence` (the first record that does not hold) and `fields.reason`;
 * ledger.restored (a head that was kept is not in it), ledger.missing, ledger.unreadable (also: no head file, and none to be made).
 *
 * The chain shows that nobody changed one record; who can write the file can write a whole new chain. Only a head kept
 * elsewhere shows that.
 */
export async function verifyLedger(
  directory: string,
  { head: kept, headFile, makeHeadFile = false }: VerifyLedgerOptions = {},
): Promise<LedgerVerification> {
  const files = existingLayout(directory);
  const { contents, sound } = await readStore(files);
  const { genesis, account, head, charges, isFirst, problem } = replay(contents);
  if (problem) throw corrupt(problem.reason, problem.sequence);
  if (!sound) throw corrupt("the structures of its store are damaged");
  if (!genesis || !account || !head) throw corrupt("it is empty");
  const readFile = makeHeadFile ? readHead : requireHeadFile;
  const heads = [kept, headFile === undefined ? null : readFile(resolve(headFile))];
  for (const each of heads) if (each) requireKept(contents.records[each.sequence], each);
  if (publicKeyFile(files.publicKey) !== genesis.publicKey) {
    throw corrupt("ledger.pub is not the key that the genesis record names", 0);
  }
  if (headFile !== undefined) await keepPresentHead(files, headFile, isFirst ? head : null);
  const lifetime = lifetimeOf(account);
  return {
    source: genesis.source,
    records: contents.records.length,
    charges: charges.length,
    granted: grantedOf(lifetime),
    spent: lifetime.spent,
    head: { sequence: head.sequence, hash: head.hash },
    publicKey: genesis.publicKey,
    isFirst,
  };
}

/** Writes the head as it is now: under the lock, or that of a ledger of the first format, which nobody charges any more. */
async function keepPresentHead(files: Layout, headFile: string, first: LedgerHead | null): Promise<void> {
  if (first) return writeHead(resolve(headFile), first);
  const store = await openStore(files);
  try {
    await advanceHead(store, headFile);
  } finally {
    await store.close();
  }
}

function publicKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileError(path, error);
  }
}
