import type { Append, Snapshot, StoredRecord, StoredRequest } from "../store.ts";
import type { Connection, Row } from "./connection.ts";
import { type NamedRecord, named } from "./named-record.ts";
import type { NodeCache } from "./node-cache.ts";

/** Thrown to whoever looks at what was not fetched yet: it is fetched, and the look begins again. */
export const notFetched: unique symbol = Symbol("not fetched");

/** The columns of a record. */
const columns = "sequence, at, kind, payload, balance, previous, hash, request, principal, payer";

/** The most nodes that come with one that was asked for: those below it, nearest first. */
const nodesAtOnce = 256;

/**
 * What a transaction sees of a ledger: the head, what was fetched of the rest, and what it is about to add. A decision is synchronous, so it
 * cannot wait for the database: it stops where something is missing, {@link View.fetch} gets that, and it runs again from its beginning.
 */
export class View {
  head: StoredRecord | null;
  balance: string | null;
  readonly added: Append[] = [];
  readonly #schema: string;
  readonly #cache: NodeCache;
  readonly #changed = new Map<string, string>();
  readonly #pending: NamedRecord[] = [];
  readonly #fetched = new Map<string, unknown>();
  readonly #wanted = new Map<string, () => Promise<void>>();
  /** Ids of requests that are wanted. */
  readonly #requests = new Set<string>();
  readonly #connection: Connection;

  constructor(
    connection: Connection,
    schema: string,
    cache: NodeCache,
    { head, balance }: { readonly head: StoredRecord | null; readonly balance: string | null },
  ) {
    this.#connection = connection;
    this.#schema = schema;
    this.#cache = cache;
    this.head = head;
    this.balance = balance;
  }

  /** Returns the state that one decision looks at. */
  snapshot(asked: StoredRequest | null): Snapshot {
    const request = asked === null ? [] : this.#requestOf(asked);
    const settled = request.find(({ kind }) => kind === "settle");
    return {
      head: this.head,
      balance: this.balance,
      request,
      release: settled ? this.#release(settled.sequence) : null,
      node: (path) => this.#node(path),
      record: (sequence) => this.#record(sequence),
      requestOf: (other) => this.#requestOf(other),
      principalsOf: (requestId) => this.#principalsOf(requestId),
      charges: (principal, before, most) => this.#charges(principal, before, most),
    };
  }

  /** Says what will be asked for, so that it is fetched with all the rest. */
  want(asked: StoredRequest | null): void {
    if (asked === null) return;
    try {
      this.#requestOf(asked);
    } catch (error) {
      if (error !== notFetched) throw error;
    }
  }

  /** Puts a record on top, for the decisions that come after. */
  add(append: Append): void {
    const { record, balance, nodes } = append;
    this.#pending.push(named(record));
    this.added.push(append);
    this.head = record;
    this.balance = balance;
    for (const [path, content] of nodes) this.#changed.set(path, content);
  }

  /** The nodes that it changes, by their paths. */
  get changed(): ReadonlyMap<string, string> {
    return this.#changed;
  }

  /** The records that it adds. */
  get pending(): readonly NamedRecord[] {
    return this.#pending;
  }

  /** Gets what was missing. */
  async fetch(): Promise<void> {
    const all = [...this.#wanted.values()];
    this.#wanted.clear();
    await this.#fetchRequests([...this.#requests]);
    for (const get of all) await get();
  }

  /** Gets the records of several requests at once. */
  async #fetchRequests(ids: readonly string[]): Promise<void> {
    this.#requests.clear();
    if (ids.length === 0) return;
    const found = new Map<string, NamedRecord[]>(ids.map((id) => [id, []]));
    const rows = await this.#rows(
      `SELECT ${columns} FROM ${this.#schema}.records WHERE request = ANY ($1::text[]) ORDER BY sequence`,
      [ids],
    );
    for (const each of rows.map(readNamed)) found.get(each.request ?? "")?.push(each);
    for (const [id, records] of found) this.#fetched.set(`request ${id}`, records);
  }

  /** Returns what was fetched under a key, or asks for it. */
  #of<T>(key: string, get: () => Promise<T>): T {
    if (this.#fetched.has(key)) return this.#fetched.get(key) as T;
    this.#wanted.set(key, async () => {
      this.#fetched.set(key, await get());
    });
    throw notFetched;
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const [told] = await this.#connection.run(sql, values);
    return told?.rows ?? [];
  }

  #named(requestId: string): readonly NamedRecord[] {
    const key = `request ${requestId}`;
    const found = this.#fetched.get(key) as readonly NamedRecord[] | undefined;
    if (found) return [...found, ...this.#pending.filter(({ request }) => request === requestId)];
    this.#requests.add(requestId);
    throw notFetched;
  }

  /** Outcomes that name no principal belong to the charge of this one where that comes before them, as in the first format. */
  #requestOf({ principal, requestId }: StoredRequest): readonly StoredRecord[] {
    const own = this.#named(requestId).filter(
      (each) => each.principal === principal || each.principal === null,
    );
    const paid = own.find(({ record }) => record.kind === "reserve");
    return own
      .filter((each) => each.principal !== null || (paid && paid.record.sequence < each.record.sequence))
      .map(({ record }) => record);
  }

  #principalsOf(requestId: string): readonly string[] {
    return this.#named(requestId).flatMap(({ record, principal }) =>
      record.kind === "reserve" && principal !== null ? [principal] : [],
    );
  }

  #release(sequence: number): Uint8Array | null {
    const own = this.added.find(({ record }) => record.sequence === sequence);
    if (own) return own.release;
    return this.#of(`release ${sequence}`, async () => {
      const [row] = await this.#rows(`SELECT bytes FROM ${this.#schema}.releases WHERE sequence = $1`, [
        sequence,
      ]);
      return row ? new Uint8Array(row.bytes as Uint8Array) : null;
    });
  }

  #record(sequence: number): StoredRecord | null {
    const own = this.added.find(({ record }) => record.sequence === sequence);
    if (own) return own.record;
    return this.#of(`record ${sequence}`, async () => {
      const [row] = await this.#rows(`SELECT ${columns} FROM ${this.#schema}.records WHERE sequence = $1`, [
        sequence,
      ]);
      return row ? readNamed(row).record : null;
    });
  }

  #charges(principal: string | null, before: number | null, most: number): readonly StoredRecord[] {
    const own = this.#pending
      .filter(({ payer }) => payer !== null && (principal === null || payer === principal))
      .filter(({ record }) => before === null || record.sequence < before)
      .map(({ record }) => record)
      .reverse();
    const last = before ?? Number.MAX_SAFE_INTEGER;
    const found = this.#of(`charges ${JSON.stringify([principal, before, most])}`, async () => {
      const whose = principal === null ? "payer IS NOT NULL" : "payer = $3";
      const rows = await this.#rows(
        `SELECT ${columns} FROM ${this.#schema}.records WHERE ${whose} AND sequence < $1 ORDER BY sequence DESC LIMIT $2`,
        principal === null ? [last, most] : [last, most, principal],
      );
      return rows.map((row) => readNamed(row).record);
    });
    return [...own, ...found].slice(0, most);
  }

  #node(path: string): string | null {
    const known = this.#changed.get(path) ?? this.#cache.get(path);
    if (known !== undefined) return known;
    return this.#of(`node ${path}`, async () => {
      const rows = await this.#rows(
        `SELECT path, content FROM ${this.#schema}.nodes WHERE path >= $1 AND path < $1 || 'g' ORDER BY length(path), path LIMIT ${nodesAtOnce}`,
        [path],
      );
      for (const row of rows) this.#cache.keep(String(row.path), String(row.content));
      const [first] = rows;
      return first?.path === path ? String(first.content) : null;
    });
  }
}

/** A row of the table of records. */
export function readNamed(row: Row): NamedRecord {
  const { kind, payload, balance, previous, hash } = row as unknown as StoredRecord;
  const { request, principal, payer } = row as unknown as NamedRecord;
  return {
    record: { sequence: Number(row.sequence), at: Number(row.at), kind, payload, balance, previous, hash },
    request,
    principal,
    payer,
  };
}
