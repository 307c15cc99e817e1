import type { AuditRecord } from "../audit-log/index.ts";

/** A session as it is kept. The secret of its cookie is kept nowhere. */
export interface Session {
  /** SHA-256 of the cookie's secret, hexadecimal. */
  readonly hash: string;
  /** The public name, for lists and for ending it. */
  readonly id: string;
  readonly person: string;
  /** The person's generation when it began: it ends when that rises. */
  readonly generation: number;
  /** Both in milliseconds since 1970. */
  readonly startedAt: number;
  readonly usedAt: number;
}

/** A place for sessions. One that is lost is signed in again, so it need not be durable; one that was removed must stay so, also after a restart. testing/src/contracts/session-store-contract.ts says what a store must do, as tests. */
export interface SessionStore {
  get(hash: string): Promise<Session | null>;
  /** Adds a session. */
  add(session: Session): Promise<void>;
  /** Writes the moment of a use. Of a session that is not there it makes none: one that ends during a request has ended. */
  used(hash: string, at: number): Promise<void>;
  /** Removes a session, and writes the facts of it to the audit log: all of it or nothing, whenever the process ends. */
  remove(hash: string, facts: readonly AuditRecord[]): Promise<void>;
  /** The sessions of a person, by name in any case. */
  ofPerson(name: string): Promise<readonly Session[]>;
}
