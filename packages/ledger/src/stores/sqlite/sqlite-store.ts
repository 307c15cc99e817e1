import { LetheError } from "@lethe/core";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import type {
  Append,
  Contents,
  Decide,
  Decision,
  Snapshot,
  Store,
  StoredRecord,
  StoredRequest,
} from "../store.ts";
import { CommitTogether } from "./commit-together.ts";
import { connect, makeDurable, pragma, type SqliteStoreOptions, schemaHolds } from "./connection.ts";
import { firstSchema, firstVersion } from "./first-schema.ts";
import { columns, readContents } from "./read-contents.ts";
import { applicationId, movedVersion, schema, schemaVersion, sealing } from "./schema.ts";
import { movedAway, sqliteError } from "./sqlite-error.ts";

export type { SqliteStoreOptions } from "./connection.ts";

/** Makes the file, which must not exist, with empty tables. */
export async function createSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  return new SqliteStore(path, await createFile(path, options));
}

/** Makes the file of {@link createSqliteStore}. Errors: ledger.exists, ledger.unreadable. */
export async function createFile(path: string, options: SqliteStoreOptions): Promise<DatabaseSyncInstance> {
  let db: DatabaseSyncInstance | null = null;
  try {
    db = await connect(path, "rwc", options);
    if (pragma(db, "schema_version") !== 0) {
      throw new LetheError("ledger.exists", `${path} exists already`, { fix: "choose another path" });
    }
    makeDurable(db);
    db.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};
      ${schema.join(";\n")}; COMMIT`);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw sqliteError(path, error);
  }
}

/** Opens a ledger file. Errors: ledger.unreadable (no such file, no ledger, another version), ledger.corrupt. */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { db } = await openFile(path, options, [schemaVersion]);
  return new SqliteStore(path, db);
}

/** Reads the whole of a ledger file of whichever format, and whether its structures are whole. Errors: as openSqliteStore. */
export async function readSqliteFile(
  path: string,
  options: SqliteStoreOptions = {},
): Promise<{ readonly contents: Contents; readonly sound: boolean }> {
  const { db, version } = await openFile(path, options, [firstVersion, schemaVersion]);
  const store = new SqliteStore(path, db, version);
  try {
    return { sound: await store.sound(), contents: await store.readAll() };
  } finally {
    await store.close();
  }
}

const schemas: Readonly<Record<number, readonly string[]>> = {
  [firstVersion]: firstSchema,
  [schemaVersion]: schema,
  [movedVersion]: [...schema, ...sealing],
};

/** Opens a file of one of these versions. Errors: as openSqliteStore. */
export async function openFile(
  path: string,
  options: SqliteStoreOptions,
  versions: readonly number[],
): Promise<{ readonly db: DatabaseSyncInstance; readonly version: number }> {
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
    if (version === firstVersion && !versions.includes(firstVersion)) {
      throw new LetheError("ledger.unreadable", `the ledger ${path} is of the first format`, {
        fix: "upgrade it: lethe ledger upgrade; the file as it is now is kept beside it",
        fields: { path, version },
      });
    }
    if (!versions.includes(version) && version !== movedVersion) {
      throw new LetheError("ledger.unreadable", `the ledger ${path} has version ${version}`, {
        fix: `open it with the release of Lethe that wrote it; this one reads version ${schemaVersion}`,
        fields: { path, version },
      });
    }
    if (!schemaHolds(db, schemas[version] ?? schema)) {
      throw new LetheError("ledger.corrupt", `the tables of the ledger ${path} were changed`, {
        fix: "restore the file from a backup; keep the changed one",
        fields: { path },
      });
    }
    if (!versions.includes(version)) throw movedAway(path, targetOf(db));
    makeDurable(db);
    return { db, version };
  } catch (error) {
    if (db?.isOpen) db.close();
    throw sqliteError(path, error);
  }
}

/** Where a sealed file says that its ledger is. */
export function targetOf(db: DatabaseSyncInstance): string | null {
  const row: { target: string } | undefined = db.prepare("SELECT target FROM moved").get();
  return row?.target ?? null;
}

class SqliteStore implements Store {
  readonly #path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #version: number;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #together = new CommitTogether({
    within: (work) => this.#within("BEGIN IMMEDIATE", work),
    part: (work) => this.#part(work),
    isOpen: () => this.#db.isTransaction,
  });

  constructor(path: string, db: DatabaseSyncInstance, version: number = schemaVersion) {
    this.#path = path;
    this.#db = db;
    this.#version = version;
  }

  transact<T>(request: StoredRequest | null, decide: Decide<T>): Promise<T> {
    return this.#together.run(() => {
      const snapshot = this.#read(request);
      const decision: Decision<T> = decide(snapshot);
      if (decision.append) this.#append(snapshot.head, decision.append);
      return decision.result;
    });
  }

  async atHead<T>(work: (head: StoredRecord | null) => T): Promise<T> {
    return this.#within("BEGIN IMMEDIATE", () => work(this.#head()));
  }

  async look<T>(request: StoredRequest | null, look: (snapshot: Snapshot) => T): Promise<T> {
    return this.#within("BEGIN", () => look(this.#read(request)));
  }

  async record(sequence: number): Promise<StoredRecord | null> {
    return this.#within("BEGIN", () => this.#record(sequence));
  }

  async readAll(): Promise<Contents> {
    return this.#within("BEGIN", () => readContents(this.#db, this.#version));
  }

  async sound(): Promise<boolean> {
    try {
      return (
        pragma(this.#db, "integrity_check") === "ok" &&
        this.#prepare("PRAGMA foreign_key_check").all().length === 0 &&
        schemaHolds(this.#db, schemas[this.#version] ?? schema)
      );
    } catch (error) {
      const coded = sqliteError(this.#path, error);
      if (coded instanceof LetheError && coded.code === "ledger.corrupt") return false;
      throw coded;
    }
  }

  async close(): Promise<void> {
    if (!this.#db.isOpen) return;
    this.#together.flush();
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
      throw sqliteError(this.#path, error);
    } finally {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
    }
  }

  /** A part of a transaction that is undone by itself where it throws, its errors coded. */
  #part(work: () => void): void {
    try {
      this.#db.exec("SAVEPOINT part");
      work();
      this.#db.exec("RELEASE part");
    } catch (error) {
      this.#undoPart();
      throw sqliteError(this.#path, error);
    }
  }

  /** Where a part cannot be undone by itself, the whole transaction is, and the error is the database's: those of a part are its own. */
  #undoPart(): void {
    if (!this.#db.isTransaction) return;
    try {
      this.#db.exec("ROLLBACK TO part; RELEASE part");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw sqliteError(this.#path, error);
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

  #head(): StoredRecord | null {
    return this.#prepare(`SELECT ${columns} FROM records ORDER BY sequence DESC LIMIT 1`).get() ?? null;
  }

  #record(sequence: number): StoredRecord | null {
    return this.#prepare(`SELECT ${columns} FROM records WHERE sequence = ?`).get(sequence) ?? null;
  }

  #balance(): string | null {
    const row: { content: string } | undefined = this.#prepare("SELECT content FROM balance").get();
    return row?.content ?? null;
  }

  /**
   * Outcomes of the first format name no principal: there an id was one request, whose charge lies before them. So they belong to the charge of
   * this principal where that comes first.
   */
  #requestOf({ principal, requestId }: StoredRequest): StoredRecord[] {
    const rows: (StoredRecord & { principal: string | null })[] = this.#prepare(
      `SELECT ${columns}, principal FROM records
        WHERE request = ? AND (principal = ? OR principal IS NULL) ORDER BY sequence`,
    ).all(requestId, principal);
    const paid = rows.find(({ kind }) => kind === "reserve");
    return rows
      .filter((row) => row.principal !== null || (paid && paid.sequence < row.sequence))
      .map(({ principal: _, ...record }) => record);
  }

  #principalsOf(requestId: string): string[] {
    const rows: { principal: string }[] = this.#prepare(
      "SELECT principal FROM records WHERE request = ? AND kind = 'reserve' ORDER BY sequence",
    ).all(requestId);
    return rows.map(({ principal }) => principal);
  }

  #charges(principal: string | null, before: number | null, most: number): StoredRecord[] {
    const last = before ?? Number.MAX_SAFE_INTEGER;
    return principal === null
      ? this.#prepare(
          `SELECT ${columns} FROM records WHERE payer IS NOT NULL AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
        ).all(last, most)
      : this.#prepare(
          `SELECT ${columns} FROM records WHERE payer = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
        ).all(principal, last, most);
  }

  #node(path: string): string | null {
    const row: { content: string } | undefined = this.#prepare(
      "SELECT content FROM nodes WHERE path = ?",
    ).get(path);
    return row?.content ?? null;
  }

  #read(asked: StoredRequest | null): Snapshot {
    const request = asked === null ? [] : this.#requestOf(asked);
    const settled = request.find((record) => record.kind === "settle");
    const release: { bytes: Uint8Array } | undefined = settled
      ? this.#prepare("SELECT bytes FROM releases WHERE sequence = ?").get(settled.sequence)
      : undefined;
    const balance = (): string | null => this.#balance();
    return {
      head: this.#head(),
      // Whoever looks at the head alone does not read it.
      get balance() {
        return balance();
      },
      request,
      release: release?.bytes ?? null,
      node: (path) => this.#node(path),
      record: (sequence) => this.#record(sequence),
      requestOf: (other) => this.#requestOf(other),
      principalsOf: (requestId) => this.#principalsOf(requestId),
      charges: (principal, before, most) => this.#charges(principal, before, most),
    };
  }

  #append(head: StoredRecord | null, { record, balance, nodes, release }: Append): void {
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
    const keep = this.#prepare(
      "INSERT INTO nodes (path, content) VALUES (?, ?) ON CONFLICT DO UPDATE SET content = excluded.content",
    );
    for (const [path, content] of nodes) keep.run(path, content);
    this.#prepare(
      "INSERT INTO balance (id, content) VALUES (0, ?) ON CONFLICT DO UPDATE SET content = excluded.content",
    ).run(balance);
  }
}
