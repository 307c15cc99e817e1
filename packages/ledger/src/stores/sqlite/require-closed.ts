import { existsSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { pragma } from "./connection.ts";
import { movedVersion, schemaVersion } from "./schema.ts";
import { openFile } from "./sqlite-store.ts";

/**
 * Refuses a file that anybody has open, before another file takes its place: whoever closes it last would remove the log beside it, which is the other's by
 * then. A log that a dead process left is brought back into the file. No file is closed, too. Errors: ledger.busy; as openSqliteStore.
 */
export async function requireClosed(path: string): Promise<void> {
  if (!existsSync(`${path}-wal`)) return;
  const { db } = await openFile(path, { lockTimeoutMs: 0 }, [schemaVersion, movedVersion]);
  try {
    // Only who has the file alone may give up its log.
    if (pragma(db, "journal_mode = DELETE") === "delete") return;
  } catch {
    // Told below.
  } finally {
    db.close();
  }
  throw new LetheError("ledger.busy", "a process has the file open that the ledger was moved from", {
    fix: "stop what has it open, then run lethe ledger move file again",
    fields: { path },
  });
}
