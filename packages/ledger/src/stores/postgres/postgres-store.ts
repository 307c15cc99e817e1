import { LetheError } from "@lethe/core";
import type { Append, Contents, Decide, Snapshot, Store, StoredRecord, StoredRequest } from "../store.ts";
import { checkRole } from "./check-role.ts";
import { checkSchema, describedHash, schemaHash } from "./check-schema.ts";
import { checkServer } from "./check-server.ts";
import { type Connection, connect } from "./connection.ts";
import { InTurn } from "./in-turn.ts";
import type { PostgresStoreOptions } from "./options.ts";
import { decideAll, type Piece, refuseAll, tellAll } from "./piece.ts";
import { type PostgresPlace, placeText, readPostgresUrl } from "./place.ts";
import { postgresError } from "./postgres-error.ts";
import { namesHold, readContents } from "./read-contents.ts";
import { requireHeard } from "./require-heard.ts";
import { retried } from "./retried.ts";
import { Session } from "./session.ts";
import { Writer } from "./writer.ts";

export type { PostgresStoreOptions } from "./options.ts";

/** Opens a session of the database: a test gives one that breaks. */
export type Connect = (place: PostgresPlace, waitMs: number) => Promise<Connection>;

/**
 * Opens the tables that `postgresSchema` made, of one ledger in a database, empty or not. Errors: parameter.invalid (the URL), ledger.server (the server or
 * the role does not promise what a ledger needs, or may do too much), ledger.missing, ledger.unreadable, ledger.corrupt (the tables were changed).
 * @param url postgres://ROLE@HOST/DATABASE?schema=SCHEMA, without a password
 */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions = {},
  connectTo: Connect = connect,
): Promise<Store> {
  const place = readPostgresUrl(url);
  const {
    lockTimeoutMs = 20_000,
    patienceMs = 12_000,
    requireSynchronousReplica = place.needsReplica,
  } = options;
  const open = async (): Promise<Connection> => {
    const connection = await connectTo(place, lockTimeoutMs);
    try {
      await checkServer(connection, place, { requireSynchronousReplica });
      await checkRole(connection, place);
      await checkSchema(connection, place);
      if (requireSynchronousReplica) await requireHeard(connection, place);
      return connection;
    } catch (error) {
      await connection.end();
      throw error;
    }
  };
  try {
    return new PostgresStore(place, open, await open(), {
      lockTimeoutMs,
      patienceMs,
      requireSynchronousReplica,
    });
  } catch (error) {
    throw postgresError(place, error);
  }
}

class PostgresStore implements Store {
  readonly #place: PostgresPlace;
  readonly #open: () => Promise<Connection>;
  readonly #writer: Writer;
  readonly #reader: Session;
  readonly #patienceMs: number;
  readonly #writing: InTurn<Piece>;
  readonly #reading: InTurn<Piece>;
  #closed = false;

  constructor(
    place: PostgresPlace,
    open: () => Promise<Connection>,
    connection: Connection,
    options: Required<PostgresStoreOptions>,
  ) {
    this.#place = place;
    this.#open = open;
    this.#writer = new Writer(place, new Session(place, open, connection), options);
    this.#reader = new Session(place, open);
    this.#patienceMs = options.patienceMs;
    this.#writing = new InTurn((group) => this.#writer.write(group));
    this.#reading = new InTurn((group) => this.#readTogether(group));
  }

  transact<T>(request: StoredRequest | null, decide: Decide<T>): Promise<T> {
    return this.#ask(this.#writing, { atHead: false, request }, (snapshot) => {
      const { append, result } = decide(snapshot);
      if (append) requireFollows(snapshot.head, append);
      return { append, result };
    });
  }

  atHead<T>(work: (head: StoredRecord | null) => T): Promise<T> {
    return this.#ask(this.#writing, { atHead: true, request: null }, ({ head }) => ({
      append: null,
      result: work(head),
    }));
  }

  look<T>(request: StoredRequest | null, look: (snapshot: Snapshot) => T): Promise<T> {
    return this.#ask(this.#reading, { atHead: false, request }, (snapshot) => ({
      append: null,
      result: look(snapshot),
    }));
  }

  record(sequence: number): Promise<StoredRecord | null> {
    return this.look(null, (snapshot) => snapshot.record(sequence));
  }

  readAll(): Promise<Contents> {
    return this.#apart((connection) => readContents(connection, this.#place.schema));
  }

  sound(): Promise<boolean> {
    const { schema } = this.#place;
    return this.#apart(
      async (connection) =>
        (await describedHash(connection, schema)) === schemaHash && (await namesHold(connection, schema)),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing.done();
    await this.#reading.done();
    await this.#writer.close();
    await this.#reader.drop();
  }

  /** Asks for a piece of work, and resolves with what it gave once that is durable. */
  #ask<T>(
    queue: InTurn<Piece>,
    asked: Pick<Piece, "atHead" | "request">,
    work: (snapshot: Snapshot) => { readonly append: Append | null; readonly result: T },
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed(this.#place));
      let result: { readonly value: T };
      queue.ask({
        ...asked,
        work: (snapshot) => {
          const { append, result: value } = work(snapshot);
          result = { value };
          return append;
        },
        tell: () => resolve(result.value),
        refuse: reject,
      });
    });
  }

  async #readTogether(group: readonly Piece[]): Promise<void> {
    try {
      const outcomes = await retried(this.#reader, this.#patienceMs, async () => {
        const told = await decideAll(await this.#reader.beginReading(), group);
        await this.#reader.end("COMMIT");
        return told;
      });
      tellAll(outcomes);
    } catch (error) {
      refuseAll(group, postgresError(this.#place, error));
    }
  }

  /** Reads much, of one moment, through a session of its own that nobody waits for. */
  async #apart<T>(read: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closed) throw closed(this.#place);
    const session = new Session(this.#place, this.#open);
    try {
      return await retried(session, this.#patienceMs, async () => {
        await session.beginReading();
        const result = await read(await session.connection());
        await session.end("COMMIT");
        return result;
      });
    } catch (error) {
      throw postgresError(this.#place, error);
    } finally {
      await session.drop();
    }
  }
}

function requireFollows(head: StoredRecord | null, { record }: Append): void {
  const follows = head
    ? record.sequence === head.sequence + 1 && record.previous === head.hash
    : record.sequence === 0;
  if (follows) return;
  throw new LetheError("ledger.corrupt", "a record does not follow the ledger's head", {
    fix: "run lethe ledger verify",
    fields: { sequence: record.sequence },
  });
}

function closed(place: PostgresPlace): LetheError {
  return new LetheError("ledger.unreadable", `the ledger in ${placeText(place)} was closed`, {
    fix: "open it again",
    fields: { schema: place.schema },
  });
}
