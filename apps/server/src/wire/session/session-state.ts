import type { Cursors } from "./cursors.ts";
import type { Settings } from "./settings.ts";
import type { Transaction } from "./transaction.ts";

/** What a connection remembers. */
export interface SessionState {
  /** The name of whoever signed in. */
  readonly user: string;
  /** The database that the client named; any name is taken, since there is one. */
  readonly database: string;
  /** The number of the connection, by which it is canceled. */
  readonly process: number;
  readonly settings: Settings;
  readonly transaction: Transaction;
  readonly cursors: Cursors;
  /** Forgets a parsed statement; all where no name is stated. */
  forget(statement: string | null): void;
}
