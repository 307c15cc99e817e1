import type { Session } from "./session.ts";

/** Where sessions are kept. One that is lost is signed in again, so it need not be durable; one that was removed must stay so. */
export interface SessionStore {
  get(hash: string): Promise<Session | null>;
  /** Adds a session. */
  add(session: Session): Promise<void>;
  /** Writes the moment of a use. Of a session that is not there it makes none: one that ends during a request has ended. */
  used(hash: string, at: number): Promise<void>;
  remove(hash: string): Promise<void>;
  /** The sessions of a person, by name in any case. */
  ofPerson(name: string): Promise<readonly Session[]>;
}
