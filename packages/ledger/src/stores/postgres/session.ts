import type { StoredRecord } from "../store.ts";
import { durably } from "./check-server.ts";
import type { Connection } from "./connection.ts";
import { NodeCache, wentBack } from "./node-cache.ts";
import type { PostgresPlace } from "./place.ts";
import { moved } from "./postgres-error.ts";
import { readNamed, View } from "./view.ts";

/** When others wrote more than so many records, the nodes are read anew. */
const mostBehind = 1000;

/**
 * The longest that a transaction may be idle, in milliseconds. The server ends it then, so that a process that was stopped in the middle
 * of one does not keep the others from theirs; what it was about to write is not written.
 */
const idleMs = 10_000;

/** One connection after another to the same ledger, and what is known of its nodes. */
export class Session {
  readonly #place: PostgresPlace;
  readonly #open: () => Promise<Connection>;
  readonly #cache = new NodeCache();
  #connection: Connection | null = null;

  /** `open` gives a connection that was checked. */
  constructor(place: PostgresPlace, open: () => Promise<Connection>, connection: Connection | null = null) {
    this.#place = place;
    this.#open = open;
    this.#connection = connection;
  }

  async connection(): Promise<Connection> {
    this.#connection ??= await this.#open();
    return this.#connection;
  }

  /** Leaves a connection that broke, or is not needed any more. */
  async drop(): Promise<void> {
    const last = this.#connection;
    this.#connection = null;
    await last?.end();
  }

  /** Begins a transaction that holds the lock of the writers. Errors: ledger.moved unless `movedToo`, ledger.restored; PostgreSQL's. */
  beginWriting(
    lockTimeoutMs: number,
    { movedToo = false }: { readonly movedToo?: boolean } = {},
  ): Promise<View> {
    const lock = [
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
      durably,
      `SET LOCAL lock_timeout = ${lockTimeoutMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
      // Every later statement sees what the holder before has committed, as each has a snapshot of its own.
      `SELECT FROM ${this.#place.schema}.ledger WHERE id = 0 FOR UPDATE`,
    ];
    return this.#begin(lock, !movedToo);
  }

  /** Begins a transaction that sees one moment and writes nothing. Errors: ledger.restored; PostgreSQL's. */
  beginReading(): Promise<View> {
    return this.#begin(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], false);
  }

  /** Undoes what is open, and leaves a connection that cannot. */
  async undo(): Promise<void> {
    try {
      await this.#connection?.run("ROLLBACK");
    } catch {
      await this.drop();
    }
  }

  /** Ends the transaction, and returns what the server says that it did. */
  async end(how: "COMMIT" | "ROLLBACK"): Promise<string> {
    const [told] = await (await this.connection()).run(how);
    return told?.command ?? "";
  }

  /** What was written is durable: its nodes are known. */
  wrote(view: View): void {
    if (view.head) this.#cache.moveTo(view.head, view.changed);
  }

  async #begin(opening: readonly string[], mustBeHere: boolean): Promise<View> {
    const connection = await this.connection();
    const { schema } = this.#place;
    const { seen } = this.#cache;
    const since = seen
      ? [
          `SELECT hash FROM ${schema}.records WHERE sequence = ${seen.sequence}`,
          `SELECT path, content FROM ${schema}.nodes WHERE changed > ${seen.sequence} LIMIT ${mostBehind}`,
        ]
      : [];
    const told = await connection.run(
      [
        ...opening,
        `SELECT l.balance AS kept, m.target, r.* FROM ${schema}.ledger AS l LEFT JOIN ${schema}.records AS r ON r.sequence = l.sequence
           LEFT JOIN ${schema}.moves AS m ON m.id = 0 WHERE l.id = 0`,
        ...since,
      ].join(";\n"),
    );
    const row = told[opening.length]?.rows[0];
    if (!row) throw new Error("the ledger's tables hold no head");
    if (mustBeHere && row.target !== null) throw moved(this.#place, String(row.target));
    const head: StoredRecord | null = row.sequence === null ? null : readNamed(row).record;
    if (seen && told[opening.length + 1]?.rows[0]?.hash !== seen.hash) throw wentBack(seen);
    const changed = told[opening.length + 2]?.rows ?? [];
    if (!seen || changed.length >= mostBehind) this.#cache.restartAt(head);
    else
      this.#cache.moveTo(
        head,
        changed.map(({ path, content }) => [String(path), String(content)] as const),
      );
    const balance = row.kept === null ? null : String(row.kept);
    return new View(connection, schema, this.#cache, { head, balance });
  }
}
