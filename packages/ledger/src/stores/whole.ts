import type { StoredRecord } from "./store.ts";

/** Everything of a ledger with the bytes of its releases, of one moment: what is moved to another place. */
export interface Whole {
  readonly records: readonly StoredRecord[];
  readonly balance: string | null;
  readonly nodes: ReadonlyMap<string, string>;
  readonly releases: ReadonlyMap<number, Uint8Array>;
}
