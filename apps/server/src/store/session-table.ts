import { type AuditRecord, foldName, type Session, type SessionStore } from "@lethe/serve";
import type { StatementSyncInstance } from "@photostructure/sqlite";

/** The means of the file that holds the table. */
export interface SessionTableParts {
  readonly prepare: (sql: string) => StatementSyncInstance;
  /** Does synchronous work in one transaction. */
  readonly within: <T>(begin: string, work: () => T) => T;
  /** Appends facts to the audit log, within the transaction that is open. */
  readonly note: (facts: readonly AuditRecord[]) => void;
}

/** The most sessions that are kept; of more, those that were not used for longest go first. */
export const mostKept = 10_000;
/** A session ends within 30 days, whatever the configuration says: what is older is dead. */
export const longestMs: number = 30 * 24 * 3_600_000;

const columns = "hash, id, person, generation, started_at AS startedAt, used_at AS usedAt";

/** Sessions in the service's file, so that a restart signs nobody out: hashes of their secrets, which prove nothing to whoever reads the file. */
export function sessionTable({ prepare, within, note }: SessionTableParts): SessionStore {
  return {
    get: async (hash) =>
      within("BEGIN", () => {
        const row = prepare(`SELECT ${columns} FROM sessions WHERE hash = ?`).get(hash);
        return row ? ({ ...row } as Session) : null;
      }),
    add: async ({ hash, id, person, generation, startedAt, usedAt }) =>
      within("BEGIN IMMEDIATE", () => {
        prepare("DELETE FROM sessions WHERE used_at < ?").run(startedAt - longestMs);
        prepare("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)").run(
          hash,
          id,
          person,
          foldName(person),
          generation,
          startedAt,
          usedAt,
        );
        prepare(
          "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions ORDER BY used_at DESC, rowid DESC LIMIT -1 OFFSET ?)",
        ).run(mostKept);
      }),
    used: async (hash, at) =>
      within("BEGIN IMMEDIATE", () => {
        prepare("UPDATE sessions SET used_at = ? WHERE hash = ?").run(at, hash);
      }),
    remove: async (hash, facts) =>
      within("BEGIN IMMEDIATE", () => {
        note(facts);
        prepare("DELETE FROM sessions WHERE hash = ?").run(hash);
      }),
    ofPerson: async (name) =>
      within("BEGIN", () => {
        const rows = prepare(`SELECT ${columns} FROM sessions WHERE folded = ?`).all(foldName(name));
        return rows.map((row: object) => ({ ...row }) as Session);
      }),
  };
}
