/** One link of the hash chain as a store keeps it: plain texts and numbers, no meaning. Meaning lives in ../records. */
export interface StoredRecord {
  /** 0, 1, 2, …; a store refuses a gap. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  /** Canonical JSON. Its `principal` and `requestId`, where there are such, are what a {@link StoredRequest} is looked up by. */
  readonly payload: string;
  /** sha256 of the balance text that holds after this record, hex. */
  readonly balance: string;
  /** Hash of the record before; 64 zeros for the first. */
  readonly previous: string;
  /** Hash of all of the above, hex. */
  readonly hash: string;
}

/** The name of a request: an id belongs to its principal, and the same id of another is another request. */
export interface StoredRequest {
  readonly principal: string;
  readonly requestId: string;
}

/** The state that a decision may look at, all of one moment. To be used while the decision is made, and no longer. */
export interface Snapshot {
  readonly head: StoredRecord | null;
  readonly balance: string | null;
  /** The records of the request that was asked about, oldest first. */
  readonly request: readonly StoredRecord[];
  /** The bytes that settled it. */
  readonly release: Uint8Array | null;
  /** Returns the text of a node of the tree that the balance has the root of; null where there is none. */
  node(path: string): string | null;
  /** Returns the record in a place of the chain, or null where there is none. */
  record(sequence: number): StoredRecord | null;
  /** Returns the records of a request, oldest first. */
  requestOf(request: StoredRequest): readonly StoredRecord[];
  /** Returns who has a request of this id, oldest first. */
  principalsOf(requestId: string): readonly string[];
  /**
   * Returns the newest records that charge a principal (null: anybody) and lie before a place of the chain (null: its end), newest
   * first; no more than `most`. A `reserve` charges its principal, a `share` charges whom it is to.
   */
  charges(principal: string | null, before: number | null, most: number): readonly StoredRecord[];
}

/** One more record, the balance after it, the nodes that change, and the release bytes if the record settles a request. */
export interface Append {
  readonly record: StoredRecord;
  readonly balance: string;
  /** By their paths. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly release: Uint8Array | null;
}

export interface Decision<T> {
  /** null: nothing is written. */
  readonly append: Append | null;
  readonly result: T;
}

export type Decide<T> = (snapshot: Snapshot) => Decision<T>;

/** Everything, of one moment. */
export interface Contents {
  readonly records: readonly StoredRecord[];
  readonly balance: string | null;
  /** Every node that is kept, by its path. */
  readonly nodes: ReadonlyMap<string, string>;
  /** Sequence of the settling record → sha256 of the stored bytes, hex. */
  readonly releases: ReadonlyMap<number, string>;
}

/**
 * The store of a ledger's records. Every store passes testing/src/contracts/store-contract.ts. Errors are coded:
 * ledger.busy (the lock was not had in time), ledger.unreadable, ledger.corrupt.
 */
export interface Store {
  /**
   * Runs a decision under a lock that excludes every other writer, in this process and in others: reads the snapshot, calls `decide`
   * once, writes what it wants in one transaction and resolves when that is durable (flushed to the disk). Decisions that are asked for
   * together may share a transaction: each sees what those before it wrote, and none is told of before all are durable. `decide` is
   * synchronous and has no effect on anything but its result; if it throws, nothing of it is written and its error comes back unchanged. A record that
   * does not follow the head directly, a second `reserve` or a second `settle` of one request, and a second `share` of it to the same
   * receiver are refused (ledger.corrupt).
   */
  transact<T>(request: StoredRequest | null, decide: Decide<T>): Promise<T>;
  /** Runs work on the head that is durable, under the same lock and with no decision beside it. It writes nothing into the store. */
  atHead<T>(work: (head: StoredRecord | null) => T): Promise<T>;
  /** Looks at a snapshot without the writers' lock. */
  look<T>(request: StoredRequest | null, look: (snapshot: Snapshot) => T): Promise<T>;
  /** The record in a place of the chain, or null where there is none. */
  record(sequence: number): Promise<StoredRecord | null>;
  readAll(): Promise<Contents>;
  /** Whether the store's own structures (pages, indexes, schema) are whole. */
  sound(): Promise<boolean>;
  close(): Promise<void>;
}
