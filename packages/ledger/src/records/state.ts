import { type Balance, readBalance } from "../account/balance.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { type RequestHistory, remember, untouched } from "./advance.ts";
import { corrupt } from "./corrupt.ts";
import type { ReservePayload } from "./entry.ts";
import { readRecord, sha256 } from "./record.ts";

/** A snapshot, read and checked: as much of the chain as one reservation needs, at a cost that does not grow with it. */
export interface State {
  readonly head: StoredRecord;
  readonly balance: Balance;
  readonly history: RequestHistory;
  readonly paid: { readonly record: StoredRecord; readonly payload: ReservePayload } | null;
  /** The bytes that settled the request. */
  readonly release: string | null;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Errors: ledger.corrupt when the head, the balance, the request's records or the release bytes do not hold. */
export function readState(snapshot: Snapshot): State {
  const { head, balance, release } = snapshot;
  if (!head || balance === null) throw corrupt("it is empty");
  readRecord(head);
  if (sha256(balance) !== head.balance) throw corrupt("the balance is not the one of the last record");
  let history = untouched;
  let paid: State["paid"] = null;
  let released: string | null = null;
  for (const record of snapshot.request) {
    const entry = readRecord(record);
    history = remember(history, entry);
    if (entry.kind === "reserve") paid = { record, payload: entry.payload };
    if (entry.kind === "settle") {
      if (!release || sha256(release) !== entry.payload.sha256) {
        throw corrupt("the stored release is not the one that was recorded", record.sequence);
      }
      released = utf8.decode(release);
    }
  }
  return { head, balance: readBalance(balance), history, paid, release: released };
}
