/** One link of the hash chain as a store keeps it: plain texts and numbers, no meaning. Meaning lives in ../records. */
export interface StoredRecord {
  /** 0, 1, 2, …; a store refuses a gap. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  /** Canonical JSON. Its `requestId`, where there is one, is what {@link Store.transact} looks up. */
  readonly payload: string;
  /** sha256 of the balance text that holds after this record, hex. */
  readonly balance: string;
  /** Hash of the record before; 64 zeros for the first. */
  readonly previous: string;
  /** Hash of all of the above, hex. */
  readonly hash: string;
}

/** The state that a decision may look at; all of one moment. */
export interface Snapshot {
  readonly head: StoredRecord | null;
  readonly balance: string | null;
  /** The records of the request that was asked about, oldest first. */
  readonly request: readonly StoredRecord[];
  /** The bytes that settled it. */
  readonly release: Uint8Array | null;
}

/** One more record, the balance after it, and the release bytes if the record settles a request. */
export interface Append {
  readonly record: StoredRecord;
  readonly balance: string;
  readonly release: Uint8Array | null;
}

export interface Decision<T> {
  /** null: nothing is written. */
  readonly append: Append | null;
  readonly result: T;
}

export type Decide<T> = (snapshot: Snapshot, past: () => readonly StoredRecord[]) => Decision<T>;

/** Everything, of one moment. */
export interface Contents {
  readonly records: readonly StoredRecord[];
  readonly balance: string | null;
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
   * once, writes what it wants in one transaction and resolves when that is durable (flushed to the disk). `decide` is
   * synchronous and has no effect on what it reads; if it throws, nothing is written and its error comes back unchanged. A record that
   * does not follow the head directly, a second `reserve` or a second `settle` of one request are refused
   * (ledger.corrupt). `past` gives every record of that moment, oldest first; to be called within the decision alone.
   */
  transact<T>(requestId: string | null, decide: Decide<T>): Promise<T>;
  /** A snapshot without the writers' lock. */
  snapshot(requestId: string | null): Promise<Snapshot>;
  /** The record in a place of the chain, or null where there is none. */
  record(sequence: number): Promise<StoredRecord | null>;
  /** The newest records of a kind that lie before a place of the chain (null: its end), newest first; no more than `most`. */
  newest(kind: string, before: number | null, most: number): Promise<readonly StoredRecord[]>;
  readAll(): Promise<Contents>;
  /** Whether the store's own structures (pages, indexes, schema) are whole. */
  sound(): Promise<boolean>;
  close(): Promise<void>;
}
