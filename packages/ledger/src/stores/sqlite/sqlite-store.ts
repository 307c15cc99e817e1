import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { LetheError } from "@lethe/core";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import type { Append, Contents, Decide, Decision, Snapshot, Store, StoredRecord } from "../store.ts";
import { applicationId, schema, schemaVersion } from "./schema.ts";
import { sqliteError } from "./sqlite-error.ts";

export interface SqliteStoreOptions {
  /** The time that a writer waits for the lock of another, in milliseconds. Default 20,000. */
  readonly lockTimeoutMs?: number;
}

const columns = "sequence, at, kind, payload, balance, previous, hash";

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

async function connect(
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

function pragma(db: DatabaseSyncInstance, name: string): unknown {
  const row: Record<string, unknown> = db.prepare(`PRAGMA ${name}`).get();
  return Object.values(row)[0];
}

/** A commit is durable when it returns: WAL alone would only keep the file consistent. fullfsync is macOS' true flush. */
function makeDurable(db: DatabaseSyncInstance): void {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
    PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
}

function schemaHolds(db: DatabaseSyncInstance): boolean {
  const rows: { sql: string }[] = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const expected = [...schema].sort();
  const found = rows.map((row) => row.sql).sort();
  return found.length === expected.length && found.every((sql, index) => sql === expected[index]);
}

/** Makes the file, which must not exist, with empty tables. */
export async function createSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  let db: DatabaseSyncInstance | null = null;
  try {
    db = await connect(path, "rwc", options);
    if (pragma(db, "schema_version") !== 0) {
      throw new LetheError("ledger.exists", `${path} exists already`, { fix: "choose another path" });
    }
    makeDurable(db);
    db.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};
      ${schema.join(";\n")}; COMMIT`);
    return new SqliteStore(path, db);
  } catch (error) {
    if (db?.isOpen) db.close();
    throw sqliteError(path, error);
  }
}

/** Opens a ledger file. Errors: ledger.unreadable (no such file, no ledger, another version), ledger.corrupt. */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  let db: DatabaseSyncInstance | null = null;
  try {
    db = await connect(path, "rw", options);
    // Asked before anything that could write into a file that is not ours.
    if (pragma(db, "application_id") !== applicationId) {
      throw new LetheError("ledger.unreadable", `the file ${path} is not a ledger`, {
        fix: "point to the directory that lethe init made, or restore the file from a backup",
        fields: { path },
      });
    }
    const version = Number(pragma(db, "user_version"));
    if (version !== schemaVersion) {
      throw new LetheError("ledger.unreadable", `the ledger ${path} has version ${version}`, {
        fix: `open it with the release of Lethe that wrote it; this one reads version ${schemaVersion}`,
        fields: { path, version },
      });
    }
    if (!schemaHolds(db)) {
      throw new LetheError("ledger.corrupt", `the tables of the ledger ${path} were changed`, {
        fix: "restore the file from a backup; keep the changed one",
        fields: { path },
      });
    }
    makeDurable(db);
    return new SqliteStore(path, db);
  } catch (error) {
    if (db?.isOpen) db.close();
    throw sqliteError(path, error);
  }
}

class SqliteStore implements Store {
  readonly #path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string, db: DatabaseSyncInstance) {
    this.#path = path;
    this.#db = db;
  }

  async transact<T>(requestId: string | null, decide: Decide<T>): Promise<T> {
    return this.#within("BEGIN IMMEDIATE", () => {
      const snapshot = this.#read(requestId);
      let decision: Decision<T>;
      try {
        decision = decide(snapshot, () => this.#records());
      } catch (error) {
        throw new Refusal(error);
      }
      if (decision.append) this.#append(snapshot.head, decision.append);
      return decision.result;
    });
  }

  async snapshot(requestId: string | null): Promise<Snapshot> {
    return this.#within("BEGIN", () => this.#read(requestId));
  }

  async record(sequence: number): Promise<StoredRecord | null> {
    const sql = `SELECT ${columns} FROM records WHERE sequence = ?`;
    return this.#within("BEGIN", () => this.#prepare(sql).get(sequence) ?? null);
  }

  async newest(kind: string, before: number | null, most: number): Promise<readonly StoredRecord[]> {
    const sql = `SELECT ${columns} FROM records WHERE kind = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`;
    return this.#within("BEGIN", () => this.#prepare(sql).all(kind, before ?? Number.MAX_SAFE_INTEGER, most));
  }

  async readAll(): Promise<Contents> {
    return this.#within("BEGIN", () => {
      const records = this.#records();
      const releases = new Map<number, string>();
      for (const row of this.#prepare("SELECT sequence, bytes FROM releases").iterate()) {
        const { sequence, bytes } = row as { sequence: number; bytes: Uint8Array };
        releases.set(sequence, createHash("sha256").update(bytes).digest("hex"));
      }
      return { records, balance: this.#balance(), releases };
    });
  }

  async sound(): Promise<boolean> {
    try {
      return (
        pragma(this.#db, "integrity_check") === "ok" &&
        this.#prepare("PRAGMA foreign_key_check").all().length === 0 &&
        schemaHolds(this.#db)
      );
    } catch (error) {
      const coded = sqliteError(this.#path, error);
      if (coded instanceof LetheError && coded.code === "ledger.corrupt") return false;
      throw coded;
    }
  }

  async close(): Promise<void> {
    if (!this.#db.isOpen) return;
    this.#statements.clear();
    try {
      // This driver keeps a connection half open until its statements are collected, so that SQLite does not do this
      // itself: afterwards the file is whole without its log. Never waits for another process.
      this.#db.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // On a full disk the records stay in the log, which is as durable.
    }
    try {
      this.#db.close();
    } catch (error) {
      throw sqliteError(this.#path, error);
    }
  }

  /** All work is synchronous, so that no other task of this process runs inside the transaction. */
  #within<T>(begin: string, work: () => T): T {
    try {
      this.#db.exec(begin);
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      if (error instanceof Refusal) throw error.reason;
      throw sqliteError(this.#path, error);
    } finally {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
    }
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #records(): StoredRecord[] {
    return this.#prepare(`SELECT ${columns} FROM records ORDER BY sequence`).all();
  }

  #balance(): string | null {
    const row: { content: string } | undefined = this.#prepare("SELECT content FROM balance").get();
    return row?.content ?? null;
  }

  #read(requestId: string | null): Snapshot {
    const head: StoredRecord | undefined = this.#prepare(
      `SELECT ${columns} FROM records ORDER BY sequence DESC LIMIT 1`,
    ).get();
    const request: StoredRecord[] =
      requestId === null
        ? []
        : this.#prepare(`SELECT ${columns} FROM records WHERE request = ? ORDER BY sequence`).all(requestId);
    const settled = request.find((record) => record.kind === "settle");
    const release: { bytes: Uint8Array } | undefined = settled
      ? this.#prepare("SELECT bytes FROM releases WHERE sequence = ?").get(settled.sequence)
      : undefined;
    return { head: head ?? null, balance: this.#balance(), request, release: release?.bytes ?? null };
  }

  #append(head: StoredRecord | null, { record, balance, release }: Append): void {
    const follows = head
      ? record.sequence === head.sequence + 1 && record.previous === head.hash
      : record.sequence === 0;
    if (!follows) {
      throw new LetheError("ledger.corrupt", "a record does not follow the ledger's head", {
        fix: "run lethe ledger verify",
        fields: { path: this.#path, sequence: record.sequence },
      });
    }
    this.#prepare(`INSERT INTO records (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
      record.sequence,
      record.at,
      record.kind,
      record.payload,
      record.balance,
      record.previous,
      record.hash,
    );
    if (release) {
      this.#prepare("INSERT INTO releases (sequence, bytes) VALUES (?, ?)").run(record.sequence, release);
    }
    this.#prepare(
      "INSERT INTO balance (id, content) VALUES (0, ?) ON CONFLICT DO UPDATE SET content = excluded.content",
    ).run(balance);
  }
}

/** Carries what `decide` threw past the translation of database errors. */
class Refusal {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}
