import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  Attempts,
  type AuditEntry,
  type AuditLogStore,
  type AuditRecord,
  type DashboardStore,
  emptyHead,
  entriesAfter,
  foldName,
  PendingSignIns,
  type PeopleStore,
  type Person,
  type RandomBytes,
  RateLimits,
  type SessionStore,
} from "@lethe/serve";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { dashboardTable } from "./dashboard-table.ts";
import { fileError, unreadable } from "./file-error.ts";
import { personText, readPerson, recentPeople } from "./person-json.ts";
import { applicationId, dashboardSchema, schema, schemaOfVersion1, schemaVersion } from "./schema.ts";
import type { ServiceStore } from "./service-store.ts";
import { sessionTable } from "./session-table.ts";

export interface ServiceFileOptions {
  /** The time that a writer waits for the lock of another, in milliseconds. Default 5,000. */
  readonly lockTimeoutMs?: number;
}

function pragma(db: DatabaseSyncInstance, name: string): unknown {
  const row: Record<string, unknown> = db.prepare(`PRAGMA ${name}`).get();
  return Object.values(row)[0];
}

async function connect(
  path: string,
  { lockTimeoutMs = 5000 }: ServiceFileOptions,
): Promise<DatabaseSyncInstance> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  // mode=rw is what keeps a missing file missing.
  return new DatabaseSync(`${pathToFileURL(path).href}?mode=rw`, {
    timeout: lockTimeoutMs,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
  });
}

/** A commit is durable when it returns, as the ledger's are. */
const durable = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`;

/** Lets nobody but its owner read a file, before anything is in it; SQLite gives its log the same rights. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

/** Makes the file, which must not be one already, with a secret that is drawn. Errors: people.unreadable. */
export async function createServiceFile(
  path: string,
  random: RandomBytes,
  options: ServiceFileOptions = {},
): Promise<ServiceStore> {
  let db: DatabaseSyncInstance | null = null;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size)
      throw unreadable(path, "exists already", "open it, or choose another folder");
    keepPrivate(path);
    db = await connect(path, options);
    db.exec(durable);
    db.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};
      ${schema.join(";\n")}; INSERT INTO revision VALUES (0, 0)`);
    db.prepare("INSERT INTO secret VALUES (0, ?)").run(random(32));
    db.exec("COMMIT");
    return new SqliteServiceFile(path, db);
  } catch (error) {
    if (db?.isOpen) db.close();
    throw fileError(path, error);
  }
}

/** Opens the file. Errors: people.unreadable where it is missing, another file, of another version, or its tables were changed. */
export async function openServiceFile(path: string, options: ServiceFileOptions = {}): Promise<ServiceStore> {
  let db: DatabaseSyncInstance | null = null;
  try {
    db = await connect(path, options);
    // Asked before anything that could write into a file that is not ours.
    if (pragma(db, "application_id") !== applicationId)
      throw unreadable(
        path,
        "is not a file of people",
        "point `data` of the configuration to the right folder",
      );
    if (pragma(db, "user_version") === 1) upgrade(db);
    if (pragma(db, "user_version") !== schemaVersion)
      throw unreadable(path, "is of another version", "open it with the release of Lethe that wrote it");
    if (!hasTables(db, schema))
      throw unreadable(
        path,
        "has tables that were changed",
        "restore it from a backup; keep the changed one",
      );
    db.exec(durable);
    return new SqliteServiceFile(path, db);
  } catch (error) {
    if (db?.isOpen) db.close();
    throw fileError(path, error);
  }
}

/** Whether a file has these tables, and no others. */
function hasTables(db: DatabaseSyncInstance, due: readonly string[]): boolean {
  const found: { sql: string }[] = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  return JSON.stringify(found.map(({ sql }) => sql).sort()) === JSON.stringify([...due].sort());
}

/** Adds what version 2 has to a file of version 1, unless its tables were changed, or another process was first. */
function upgrade(db: DatabaseSyncInstance): void {
  db.exec(durable);
  db.exec("BEGIN IMMEDIATE");
  const isFirst = pragma(db, "user_version") === 1;
  if (isFirst && hasTables(db, schemaOfVersion1))
    db.exec(`${dashboardSchema.join(";\n")}; PRAGMA user_version = ${schemaVersion}`);
  db.exec("COMMIT");
}

class SqliteServiceFile implements ServiceStore {
  readonly people: PeopleStore;
  readonly audit: AuditLogStore;
  readonly sessions: SessionStore;
  readonly dashboards: DashboardStore;
  readonly secret: Uint8Array;
  // One process holds the file, so that these live as long as it does: who starts it again lets all of them begin anew.
  readonly attempts: Attempts = new Attempts();
  readonly pending: PendingSignIns = new PendingSignIns();
  readonly limits: ServiceStore["limits"] = (rates, most) => new RateLimits(rates, most);
  readonly join = null;
  readonly #path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string, db: DatabaseSyncInstance) {
    this.#path = path;
    this.#db = db;
    const kept: { bytes: Uint8Array } | undefined = db.prepare("SELECT bytes FROM secret").get();
    if (!kept)
      throw unreadable(path, "has lost its secret", "restore it from a backup; keep the damaged one");
    this.secret = new Uint8Array(kept.bytes);
    const read = recentPeople();
    // One statement reads one moment by itself, also what another process changed just before: a token that is revoked lets nobody in any more.
    const personBy = (sql: string, ...keys: string[]): Person | null =>
      this.#coded(() => {
        const row = this.#prepare(sql).get(...keys) as { content: string } | undefined;
        return row ? read(row.content) : null;
      });
    this.people = {
      revision: async () => this.#within("BEGIN", () => this.#revision()),
      byName: async (name) => personBy("SELECT content FROM people WHERE folded = ?", foldName(name)),
      byToken: async (id) =>
        personBy("SELECT content FROM people JOIN tokens ON person = folded WHERE id = ?", id),
      byIdentity: async ({ issuer, subject }) =>
        personBy(
          "SELECT content FROM people JOIN identities ON person = folded WHERE issuer = ? AND subject = ?",
          issuer,
          subject,
        ),
      list: async () =>
        this.#within("BEGIN", () => {
          const rows = this.#prepare("SELECT content FROM people").all() as { content: string }[];
          const people = rows.map(({ content }) => readPerson(content));
          // By UTF-16 code units, as everywhere else, which is not SQLite's order.
          return people.sort((a, b) => (foldName(a.name) < foldName(b.name) ? -1 : 1));
        }),
      put: async (person, revision, facts) =>
        this.#within("BEGIN IMMEDIATE", () => {
          if (!this.#put(person, revision)) return false;
          this.#write(facts);
          return true;
        }),
    };
    const means = {
      prepare: (sql: string) => this.#prepare(sql),
      within: <T>(begin: string, work: () => T) => this.#within(begin, work),
      note: (facts: readonly AuditRecord[]) => void this.#write(facts),
    };
    this.sessions = sessionTable(means);
    this.dashboards = dashboardTable(means);
    this.audit = {
      head: async () => this.#within("BEGIN", () => this.#last() ?? emptyHead),
      write: async (records) => this.#within("BEGIN IMMEDIATE", () => this.#write(records)),
      page: async (before, most) =>
        this.#within("BEGIN", () => {
          const sql = "SELECT content FROM audit WHERE sequence < ? ORDER BY sequence DESC LIMIT ?";
          const rows = this.#prepare(sql).all(before ?? Number.MAX_SAFE_INTEGER, most) as {
            content: string;
          }[];
          return rows.map(({ content }) => JSON.parse(content) as AuditEntry);
        }),
    };
  }

  async close(): Promise<void> {
    if (!this.#db.isOpen) return;
    this.#statements.clear();
    try {
      this.#db.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // On a full disk the changes stay in the log, which is as durable.
    }
    this.#db.close();
  }

  #put(person: Person, revision: number): boolean {
    if (this.#revision() !== revision) return false;
    const folded = foldName(person.name);
    const holder = (sql: string, ...keys: string[]): string | undefined =>
      (this.#prepare(sql).get(...keys) as { person: string } | undefined)?.person;
    const others = [
      ...person.tokens.map(({ id }) => holder("SELECT person FROM tokens WHERE id = ?", id)),
      ...person.identities.map(({ issuer, subject }) =>
        holder("SELECT person FROM identities WHERE issuer = ? AND subject = ?", issuer, subject),
      ),
    ];
    if (others.some((other) => other !== undefined && other !== folded)) return false;
    const write =
      "INSERT INTO people VALUES (?, ?) ON CONFLICT (folded) DO UPDATE SET content = excluded.content";
    this.#prepare(write).run(folded, personText(person));
    this.#prepare("DELETE FROM tokens WHERE person = ?").run(folded);
    this.#prepare("DELETE FROM identities WHERE person = ?").run(folded);
    for (const { id } of person.tokens) this.#prepare("INSERT INTO tokens VALUES (?, ?)").run(id, folded);
    for (const { issuer, subject } of person.identities)
      this.#prepare("INSERT INTO identities VALUES (?, ?, ?)").run(issuer, subject, folded);
    this.#prepare("UPDATE revision SET count = count + 1").run();
    return true;
  }

  /** Appends records within the transaction that is open: that of the change that they tell of, where there is one. */
  #write(records: readonly AuditRecord[]): readonly AuditEntry[] {
    const entries = entriesAfter(this.#last() ?? emptyHead, records);
    for (const entry of entries)
      this.#prepare("INSERT INTO audit VALUES (?, ?, ?)").run(
        entry.sequence,
        entry.hash,
        JSON.stringify(entry),
      );
    return entries;
  }

  #last(): { sequence: number; hash: string } | undefined {
    return this.#prepare("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1").get();
  }

  #revision(): number {
    return (this.#prepare("SELECT count FROM revision").get() as { count: number }).count;
  }

  #prepare(sql: string): StatementSyncInstance {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** All work is synchronous, so that no other task of this process runs inside the transaction. */
  #within<T>(begin: string, work: () => T): T {
    return this.#coded(() => {
      this.#db.exec(begin);
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    });
  }

  #coded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw fileError(this.#path, error);
    }
  }
}
