import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { LetheError } from "@lethe/core";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { flushFile, flushNames } from "../../directory/flush-names.ts";
import type { Append, Contents } from "../store.ts";
import { firstVersion } from "./first-schema.ts";
import { columns, readContents } from "./read-contents.ts";
import { schema, schemaVersion } from "./schema.ts";
import { sqliteError } from "./sqlite-error.ts";
import { openFile, readSqliteFile } from "./sqlite-store.ts";

/** How often a copy is taken anew where somebody was charged meanwhile. */
const tries = 5;

/**
 * Turns a ledger file of the first format into one of today's, in one transaction, and keeps the file as it was beside it, flushed to the disk before
 * anything is changed. `upgrade` gives the record that goes on from its contents; `check` throws where what came of it does not hold, and then
 * nothing was changed. Whoever has the file open with an older release finds a record that it does not know, and charges nothing.
 * Errors: as openSqliteStore; ledger.busy where others go on charging.
 */
export async function upgradeFile(
  path: string,
  keptPath: string,
  upgrade: (contents: Contents) => Append,
  check: (contents: Contents) => void,
): Promise<void> {
  const { db } = await openFile(path, {}, [firstVersion]);
  try {
    for (let left = tries; left > 0; left -= 1) {
      keepCopy(db, keptPath);
      const { contents } = await readSqliteFile(keptPath);
      if (replaceTables(db, keptPath, contents, upgrade(contents), check)) return;
    }
  } catch (error) {
    throw sqliteError(path, error);
  } finally {
    if (db.isOpen) db.close();
  }
  throw new LetheError(
    "ledger.busy",
    "others were charged while the ledger was to be upgraded; nothing was changed",
    {
      fix: "stop what asks this ledger, then run lethe ledger upgrade again",
      fields: { path },
    },
  );
}

function keepCopy(db: DatabaseSyncInstance, keptPath: string): void {
  const staged = `${keptPath}.new`;
  rmSync(staged, { force: true });
  db.prepare("VACUUM INTO ?").run(staged);
  flushFile(staged);
  renameSync(staged, keptPath);
  flushNames(dirname(keptPath), 1);
}

/** Gives false, and changes nothing, where the file has more records than the copy. */
function replaceTables(
  db: DatabaseSyncInstance,
  keptPath: string,
  { records }: Contents,
  { record, balance, nodes }: Append,
  check: (contents: Contents) => void,
): boolean {
  // Not within a transaction: foreign keys would refuse that tables are made anew, and a file is attached outside of one.
  db.exec("PRAGMA foreign_keys = OFF");
  db.prepare("ATTACH ? AS kept").run(`${pathToFileURL(keptPath).href}?mode=ro`);
  try {
    db.exec("BEGIN EXCLUSIVE");
    const head: { hash: string } | undefined = db
      .prepare("SELECT hash FROM main.records ORDER BY sequence DESC LIMIT 1")
      .get();
    if (head?.hash !== records.at(-1)?.hash) return false;
    db.exec(`DROP TABLE main.releases; DROP TABLE main.records; DROP TABLE main.balance;
      ${schema.join(";\n")};
      INSERT INTO main.records (${columns}) SELECT ${columns} FROM kept.records ORDER BY sequence;
      INSERT INTO main.releases (sequence, bytes) SELECT sequence, bytes FROM kept.releases ORDER BY sequence`);
    const { sequence, at, kind, payload, balance: hash, previous, hash: own } = record;
    db.prepare(`INSERT INTO main.records (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
      sequence,
      at,
      kind,
      payload,
      hash,
      previous,
      own,
    );
    db.prepare("INSERT INTO main.balance (id, content) VALUES (0, ?)").run(balance);
    const keep = db.prepare("INSERT INTO main.nodes (path, content) VALUES (?, ?)");
    for (const [place, content] of nodes) keep.run(place, content);
    db.exec(`PRAGMA main.user_version = ${schemaVersion}`);
    check(readContents(db, schemaVersion));
    db.exec("COMMIT");
    return true;
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
    db.exec("DETACH kept");
  }
}
