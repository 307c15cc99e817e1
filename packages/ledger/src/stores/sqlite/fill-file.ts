import { dirname } from "node:path";
import { flushNames } from "../../directory/flush-names.ts";
import type { Contents } from "../store.ts";
import type { Whole } from "../whole.ts";
import { columns, readContents } from "./read-contents.ts";
import { schemaVersion } from "./schema.ts";
import { sqliteError } from "./sqlite-error.ts";
import { createFile } from "./sqlite-store.ts";

/**
 * Makes a file, which must not exist, that holds a whole ledger, all at once, and flushes it with its name. Gives what lies there then. Errors: ledger.exists,
 * ledger.unreadable.
 */
export async function fillFile(
  path: string,
  { records, balance, nodes, releases }: Whole,
): Promise<Contents> {
  const db = await createFile(path, {});
  try {
    db.exec("BEGIN IMMEDIATE");
    const record = db.prepare(`INSERT INTO records (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    for (const { sequence, at, kind, payload, balance: sum, previous, hash } of records)
      record.run(sequence, at, kind, payload, sum, previous, hash);
    const release = db.prepare("INSERT INTO releases (sequence, bytes) VALUES (?, ?)");
    for (const [sequence, bytes] of releases) release.run(sequence, bytes);
    const node = db.prepare("INSERT INTO nodes (path, content) VALUES (?, ?)");
    for (const [place, content] of nodes) node.run(place, content);
    if (balance !== null) db.prepare("INSERT INTO balance (id, content) VALUES (0, ?)").run(balance);
    // Without a log the file is whole by itself.
    db.exec("COMMIT; PRAGMA journal_mode = DELETE");
    return readContents(db, schemaVersion);
  } catch (error) {
    throw sqliteError(path, error);
  } finally {
    db.close();
    flushNames(dirname(path), 1);
  }
}
