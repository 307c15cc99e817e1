import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { invalidParameter, LetheError } from "@lethe/core";
import type { AccountBudget } from "./account/budget.ts";
import { statedBudget } from "./account/stated-budget.ts";
import type { AccountLedger } from "./account-ledger.ts";
import { fileError, systemCode } from "./directory/file-error.ts";
import { flushNames } from "./directory/flush-names.ts";
import { readHead } from "./directory/head-file.ts";
import { type KeyPair, newKeyPair, privatePem } from "./directory/key-pair.ts";
import { type Layout, layout } from "./directory/layout.ts";
import { openLedger } from "./open-ledger.ts";
import { advance } from "./records/advance.ts";
import type { Entry } from "./records/entry.ts";
import { untouched } from "./records/history.ts";
import { sealAfter } from "./records/record.ts";
import { requireName, requireTime } from "./request-limits.ts";
import { openStore, writeUrl } from "./stores/open-store.ts";
import { createSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import { emptyRoot } from "./tree/hash-tree.ts";
import { verifyLedger } from "./verify-ledger.ts";

/** The options of a new ledger. Its first record states the budget, the policy's hash, the source and the failure cap. */
export interface CreateLedgerOptions {
  readonly budget: AccountBudget;
  /** Hash of the policy that the budget belongs to. */
  readonly policyHash: string;
  /** Name of the data source. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The number of executions that may fail or be cut off before the owner has to look. Default 100. */
  readonly failureCap?: number;
  /** The same for each principal. Default: half of the account's where that is above 50, else as many. */
  readonly failureCapEach?: number;
  /** The file for the ledger's head, as openLedger wants it; it is made with the first head. If it keeps a head already, there was a ledger, and none is made. */
  readonly headFile?: string | undefined;
  /**
   * Where records, balance and releases are kept: postgres://ROLE@HOST/DATABASE?schema=SCHEMA, without a password, with the tables of
   * `postgresSchema` and no ledger in them. Several gateways then share it. Left out, a file in the directory; keys lie there in any case.
   */
  readonly url?: string | undefined;
}

/**
 * Makes the ledger's directory (mode 0700) with an Ed25519 key pair and the genesis record, all at once or not at all. The head
 * file comes after: where it cannot be written the ledger is there, and is not opened with that file.
 * Errors: ledger.exists, ledger.restored (the head file knows a ledger), ledger.unreadable (the directory or the head file cannot
 * be written), parameter.invalid; for a database those of openPostgresStore.
 * @example const ledger = await createLedger(".lethe/ledger", { budget, policyHash, source: "people", clock: Date.now });
 */
export async function createLedger(directory: string, options: CreateLedgerOptions): Promise<AccountLedger> {
  const target = resolve(directory);
  refuseExisting(target);
  const { clock, headFile, url = null } = options;
  if (headFile !== undefined) refuseKept(resolve(headFile));
  const keys = newKeyPair();
  const genesis = genesisEntry(options, keys);
  const at = requireTime(clock);
  // Beside the target, so that one rename makes the whole of it appear, also when two processes begin at once.
  const staging = `${target}.new-${randomBytes(8).toString("hex")}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    mkdirSync(staging, { mode: 0o700 });
    await fill(layout(staging), keys, url);
    flushNames(staging, 1);
    await begin(layout(staging), genesis, at);
    renameSync(staging, target);
    // Every directory above may be new, made now or by an attempt that was cut off.
    flushNames(dirname(target), Number.POSITIVE_INFINITY);
  } catch (error) {
    removeIfPossible(staging);
    if (["ENOTEMPTY", "EEXIST"].includes(systemCode(error))) throw exists(target);
    throw fileError(target, error);
  }
  if (headFile !== undefined) await verifyLedger(target, { headFile, makeHeadFile: true });
  return openLedger(target, { clock, headFile });
}

/** Removes what is staged. On a failing disk it may stay: it is no ledger, and the first error is the one to report. */
function removeIfPossible(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch {
    // Nothing more can be done here.
  }
}

function refuseExisting(target: string): void {
  let entries: string[];
  try {
    entries = readdirSync(target);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw fileError(target, error);
  }
  if (entries.length > 0) throw exists(target);
}

/** Refuses a head file that keeps a head: whoever lost a ledger, or removed it, may not begin again with nothing spent. */
function refuseKept(headFile: string): void {
  const kept = readHead(headFile);
  if (kept === null) return;
  throw new LetheError("ledger.restored", `${headFile} keeps the head of a ledger that is not here`, {
    fix: "put that ledger back; for a new account on purpose, name another head file",
    fields: { path: headFile, sequence: kept.sequence },
  });
}

function exists(target: string): LetheError {
  const { database, url } = layout(target);
  const what = [database, url].some((path) => existsSync(path)) ? "holds a ledger already" : "is not empty";
  return new LetheError("ledger.exists", `the directory ${target} ${what}`, {
    fix: "open the ledger that is there, or choose another directory; nothing was changed",
    fields: { path: target },
  });
}

function genesisEntry(options: CreateLedgerOptions, keys: KeyPair): Entry {
  const { budget, failureCap = 100 } = options;
  const { failureCapEach = failureCap <= 50 ? failureCap : Math.ceil(failureCap / 2) } = options;
  for (const cap of [failureCap, failureCapEach]) {
    if (!(Number.isSafeInteger(cap) && cap >= 1)) {
      throw invalidParameter("the failure cap", cap, "a whole number ≥ 1");
    }
  }
  if (budget.closed) throw invalidParameter("the budget's closed", true, "left out: a new account is open");
  return {
    kind: "genesis",
    payload: {
      version: 2,
      budget: statedBudget(budget),
      failureCap,
      failureCapEach,
      policyHash: options.policyHash,
      publicKey: keys.publicKey,
      source: requireName(options.source, "the source's name"),
    },
  };
}

/** Makes the files of a ledger, its own database among them where it is not elsewhere. */
async function fill(files: Layout, keys: KeyPair, url: string | null): Promise<void> {
  writeFileSync(files.privateKey, privatePem(keys), { mode: 0o600, flag: "wx", flush: true });
  writeFileSync(files.publicKey, keys.publicKey, { mode: 0o644, flag: "wx", flush: true });
  if (url !== null) return writeUrl(files, url);
  await (await createSqliteStore(files.database)).close();
  chmodSync(files.database, 0o600);
}

/** Puts the genesis record into tables that hold none. Errors: ledger.exists. */
async function begin(files: Layout, genesis: Entry, at: number): Promise<void> {
  const store = await openStore(files);
  try {
    await store.transact(null, ({ head }) => {
      if (head) throw existsThere();
      const posting = advance(null, genesis, untouched, { sequence: 0, at });
      return {
        append: sealAfter(null, at, genesis, posting, { root: emptyRoot, node: () => null }),
        result: null,
      };
    });
  } finally {
    await store.close();
  }
}

function existsThere(): LetheError {
  return new LetheError("ledger.exists", "the database holds a ledger already", {
    fix: "open the ledger that is there, with its key; or name another schema. Nothing was changed",
  });
}
