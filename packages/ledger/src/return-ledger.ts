import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileError } from "./directory/file-error.ts";
import { flushFile, flushNames } from "./directory/flush-names.ts";
import type { Layout } from "./directory/layout.ts";
import { corrupt } from "./records/corrupt.ts";
import { replay } from "./records/replay.ts";
import { existingLayout, storeUrl } from "./stores/open-store.ts";
import { sealTables } from "./stores/postgres/moves/seal-tables.ts";
import { readPostgresUrl } from "./stores/postgres/place.ts";
import { moved } from "./stores/postgres/postgres-error.ts";
import { fillFile } from "./stores/sqlite/fill-file.ts";
import { requireClosed } from "./stores/sqlite/require-closed.ts";
import { type LedgerVerification, verifyLedger } from "./verify-ledger.ts";

export interface ReturnLedgerOptions {
  /** The file that keeps the ledger's head, where there is one: compared before and after. */
  readonly headFile?: string | undefined;
  /** Called between two steps, for tests that end there. */
  readonly between?: (step: ReturnStep) => void | Promise<void>;
}

/** The steps of a return after which a process can die. */
export type ReturnStep = "verified" | "copied" | "sealed" | "placed" | "forgotten";

/**
 * Moves a ledger's records from tables of PostgreSQL into a file of this directory, where one machine goes on with them. The chain is verified in both places.
 * The copy is durable, and the tables are sealed, before the file can be charged, so that at no moment two can be; a return that was cut off goes on when it is asked for again, in
 * the same directory. A ledger that lies in a file is verified and left as it is.
 * Errors: ledger.moved (the tables' ledger went elsewhere), ledger.busy (a process has the file open that the ledger was moved from), and those of verifyLedger and openPostgresStore.
 * @example await returnLedger(".lethe/ledger");
 */
export async function returnLedger(
  directory: string,
  { headFile, between = () => undefined }: ReturnLedgerOptions = {},
): Promise<LedgerVerification> {
  const files = existingLayout(directory);
  const url = storeUrl(files);
  if (url !== null) {
    await verifyLedger(directory, { headFile });
    await requireClosed(files.database);
    await between("verified");
    const name = randomUUID();
    const target = await sealTables(url, `file ${name}`, async (whole) => {
      const { problem } = replay(await fillFile(copyOf(files, name), whole));
      if (problem) throw corrupt(problem.reason, problem.sequence);
      await between("copied");
    });
    await between("sealed");
    // The copy's name is in the tables: another gateway, to which the ledger did not go, has none.
    const copy = copyOf(files, target.replace(/^file /, ""));
    if (!existsSync(copy)) throw moved(readPostgresUrl(url), target);
    await requireClosed(files.database);
    changing(files, () => place(copy, files));
    await between("placed");
    changing(files, () => rmSync(files.url));
    await between("forgotten");
  }
  const verified = await verifyLedger(directory, { headFile });
  removeCopies(files);
  return verified;
}

/** Puts a copy in the place of the ledger's file. The copy stays until the tables are forgotten: it tells a return that goes on that this is its directory. */
function place(copy: string, { database }: Layout): void {
  const next = `${database}.new`;
  copyFileSync(copy, next);
  flushFile(next);
  renameSync(next, database);
}

/** Changes files of a ledger's directory, and makes their names durable. */
function changing({ database }: Layout, change: () => void): void {
  try {
    change();
    flushNames(dirname(database), 1);
  } catch (error) {
    throw fileError(database, error);
  }
}

const prefix = "ledger-returned-";

function copyOf({ database }: Layout, name: string): string {
  return join(dirname(database), `${prefix}${name}.db`);
}

function removeCopies({ database }: Layout): void {
  for (const name of readdirSync(dirname(database)))
    if (name.startsWith(prefix)) rmSync(join(dirname(database), name), { force: true });
}
