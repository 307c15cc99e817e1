import { pathToFileURL } from "node:url";
import { LetheError } from "@lethe/core";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export interface SqliteStoreOptions {
  /** The time that a writer waits for the lock of another, in milliseconds. Default 20,000. */
  readonly lockTimeoutMs?: number;
}

/** Loaded on first use: a process that asks for a plan alone needs no database. */
async function driver(): Promise<typeof import("@photostructure/sqlite")> {
  try {
    return await import("@photostructure/sqlite");
  } catch {
    throw new LetheError("ledger.unreadable", "the SQLite driver does not load on this machine", {
      fix: "reinstall @photostructure/sqlite on this platform; it ships builds for Linux, macOS and Windows",
    });
  }
}

export async function connect(
  path: string,
  mode: "rw" | "rwc",
  { lockTimeoutMs = 20_000 }: SqliteStoreOptions,
): Promise<DatabaseSyncInstance> {
  const { DatabaseSync } = await driver();
  // mode=rw is what keeps a missing file missing.
  return new DatabaseSync(`${pathToFileURL(path).href}?mode=${mode}`, {
    timeout: lockTimeoutMs,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
  });
}

export function pragma(db: DatabaseSyncInstance, name: string): unknown {
  const row: Record<string, unknown> = db.prepare(`PRAGMA ${name}`).get();
  return Object.values(row)[0];
}

/** A commit is durable when it returns: WAL alone would only keep the file consistent. fullfsync is macOS' true flush. */
export function makeDurable(db: DatabaseSyncInstance): void {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
    PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
}

/** Whether a file has exactly these tables, indexes and triggers. */
export function schemaHolds(db: DatabaseSyncInstance, schema: readonly string[]): boolean {
  const rows: { sql: string }[] = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const expected = [...schema].sort();
  const found = rows.map((row) => row.sql).sort();
  return found.length === expected.length && found.every((sql, index) => sql === expected[index]);
}
