import { chmodSync, closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { LetheError } from "@lethe/core";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { fileError } from "../../directory/file-error.ts";
import type { Layout } from "../../directory/layout.ts";
import { connect } from "../sqlite/connection.ts";
import { sqliteError } from "../sqlite/sqlite-error.ts";
import type { HeldLedger } from "./held-ledger.ts";

/** How long a process waits, in milliseconds, for another one that is just writing whose the ledger is. */
const writingMs = 2_000;

/**
 * Holds a ledger's directory on this machine: the lock is the operating system's, on an empty file beside the ledger, so that a kill leaves none behind. Errors: ledger.served where another service holds it; ledger.unreadable.
 * @param service names the service whose processes on this machine hold it together; null where there is one process, which holds it alone
 */
export async function holdFile({ database, served }: Layout, service: number | null): Promise<HeldLedger> {
  let db: DatabaseSyncInstance | null = null;
  try {
    closeSync(openSync(served, "a", 0o600));
    chmodSync(served, 0o600);
  } catch (error) {
    throw fileError(served, error);
  }
  try {
    db = await connect(served, "rw", { lockTimeoutMs: 0 });
    if (service === null) {
      // Nothing is written: the transaction that is never committed is the lock.
      db.exec("BEGIN EXCLUSIVE");
    } else if (!holdsTogether(db, service)) throw alreadyServed(database);
  } catch (error) {
    if (db?.isOpen) db.close();
    const coded = sqliteError(served, error);
    throw coded instanceof LetheError && coded.code === "ledger.busy" ? alreadyServed(database) : coded;
  }
  const held = db;
  return {
    release: () => {
      if (!held.isOpen) return;
      held.exec("ROLLBACK");
      held.close();
    },
  };
}

/**
 * Takes the lock that processes of one service share, and returns whether it is theirs. The file says whose it is: who finds it without a holder writes its service into it.
 */
function holdsTogether(db: DatabaseSyncInstance, service: number): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    db.exec(`PRAGMA user_version = ${service}`);
    db.exec("COMMIT");
  } catch {
    // Somebody holds it: if it is this service, it is written there.
    if (db.isTransaction) db.exec("ROLLBACK");
  }
  // The processes of a service that start together meet while one of them writes.
  db.exec(`PRAGMA busy_timeout = ${writingMs}`);
  db.exec("BEGIN");
  const { user_version: holder } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  // A look at a table takes the lock that others may take too, until the transaction ends.
  db.prepare("SELECT COUNT(*) FROM sqlite_schema").get();
  return holder === service;
}

function alreadyServed(database: string): LetheError {
  return new LetheError("ledger.served", `another service answers from the ledger ${database}`, {
    fix: "end the other lethe serve, or serve another policy, in another folder with a ledger of its own; lethe query may be used beside a service",
    fields: { path: dirname(database) },
  });
}
