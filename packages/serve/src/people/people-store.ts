import type { AuditRecord } from "../audit-log/index.ts";
import type { Identity, Person } from "./person.ts";

/**
 * A durable place for people. A revision counts the changes of all people, so that whoever decided by what they read changes nothing
 * when any of it was changed since. testing/src/contracts/people-store-contract.ts says what a store must do, as tests.
 */
export interface PeopleStore {
  /** The number of changes so far. */
  revision(): Promise<number>;
  /** The person of this name, compared as {@link foldName} does. */
  byName(name: string): Promise<Person | null>;
  /** The person who has a token of this id. */
  byToken(id: string): Promise<Person | null>;
  byIdentity(identity: Identity): Promise<Person | null>;
  /** Everybody, in the order of their folded names. */
  list(): Promise<readonly Person[]>;
  /**
   * Adds a person or replaces the one of that name, and writes the facts of it to the audit log: all of it or nothing, whenever the process ends. Durable when it returns true. Returns false, and
   * changes nothing, where the revision is no longer that one, and where another person has one of the tokens or identities.
   */
  put(person: Person, revision: number, facts: readonly AuditRecord[]): Promise<boolean>;
}
