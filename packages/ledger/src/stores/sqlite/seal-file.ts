import { LetheError } from "@lethe/core";
import type { Whole } from "../whole.ts";
import { readContents } from "./read-contents.ts";
import { movedVersion, schemaVersion, sealing } from "./schema.ts";
import { sqliteError } from "./sqlite-error.ts";
import { openFile, targetOf } from "./sqlite-store.ts";

/** Reads a file with the bytes of its releases, and where it was moved to; null where it was not. Errors: as openSqliteStore. */
export async function readWholeFile(
  path: string,
): Promise<{ readonly whole: Whole; readonly target: string | null }> {
  const { db, version } = await openFile(path, {}, [schemaVersion, movedVersion]);
  try {
    db.exec("BEGIN");
    const { records, balance, nodes } = readContents(db, schemaVersion);
    const releases = new Map<number, Uint8Array>();
    for (const row of db.prepare("SELECT sequence, bytes FROM releases").iterate()) {
      const { sequence, bytes } = row as { sequence: number; bytes: Uint8Array };
      releases.set(sequence, bytes);
    }
    return {
      whole: { records, balance, nodes, releases },
      target: version === movedVersion ? targetOf(db) : null,
    };
  } catch (error) {
    throw sqliteError(path, error);
  } finally {
    db.close();
  }
}

/**
 * Seals a file whose last record is this one, so that nobody can charge it any more: neither who opens it, nor who has it open, nor a release of
 * Lethe that knows no moves. Errors: ledger.busy where somebody was charged meanwhile; then nothing was changed.
 */
export async function sealFile(path: string, hash: string, target: string): Promise<void> {
  const { db } = await openFile(path, {}, [schemaVersion]);
  try {
    db.exec("BEGIN IMMEDIATE");
    const head: { hash: string } | undefined = db
      .prepare("SELECT hash FROM records ORDER BY sequence DESC LIMIT 1")
      .get();
    if (head?.hash !== hash) throw chargedMeanwhile();
    db.exec(sealing.join(";\n"));
    db.prepare("INSERT INTO moved (id, target) VALUES (0, ?)").run(target);
    db.exec(`PRAGMA user_version = ${movedVersion}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw sqliteError(path, error);
  } finally {
    db.close();
  }
}

function chargedMeanwhile(): LetheError {
  return new LetheError(
    "ledger.busy",
    "others were charged while the ledger was to be moved; nothing was changed",
    {
      fix: "stop what asks this ledger, then run lethe ledger move again",
    },
  );
}
