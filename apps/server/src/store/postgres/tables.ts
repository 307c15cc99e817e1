import { EndingClient } from "@lethe/engine-postgres";
import pg from "pg";
import { databaseError } from "./database-error.ts";

/** Runs one statement, and returns its rows. */
export type Run = <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** The service's tables in a database, by a pool of connections. */
export interface Tables {
  /** Runs one statement by itself. Errors: people.unreadable. */
  readonly run: Run;
  /** Runs statements as one transaction, each of which sees what others committed before it began. Whoever decides by a row locks it. Errors: people.unreadable, and those of the work; nothing is written then. */
  within<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TablesOptions {
  /** postgres://role@host/database */
  readonly url: string;
  /** The most connections of this process. */
  readonly connections?: number;
  /** The time that a statement waits for the locks of others, in milliseconds. */
  readonly lockTimeoutMs?: number;
  /** The owner's log. */
  readonly log: (detail: string) => void;
}

/** Opens a pool of connections, each made when it is first needed. */
export function openTables({ url, connections = 16, lockTimeoutMs = 5_000, log }: TablesOptions): Tables {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "lethe serve",
    Client: EndingClient,
    max: connections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on("error", (error) => log(`an idle connection of the service's store: ${error.message}`));
  // The pool hears of idle connections alone. One that is cut within a transaction fails its next statement, and must not end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const coded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw databaseError(error);
    }
  };
  const runOn =
    (client: Pick<pg.ClientBase, "query">): Run =>
    async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows as readonly Row[];
  return {
    run: (sql, values) => coded(() => runOn(pool)(sql, values)),
    within: (work) =>
      coded(async () => {
        const client = await pool.connect();
        try {
          await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
          const result = await work(runOn(client));
          await client.query("COMMIT");
          client.release();
          return result;
        } catch (error) {
          // A connection whose transaction did not end is ended, and its transaction with it.
          const isOver = await client.query("ROLLBACK").then(
            () => true,
            () => false,
          );
          client.release(!isOver);
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
