import { type Account, readAccount, seenAt } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import { readScope, type Scope } from "../scopes/scope.ts";
import { type ScopeName, scopeKey } from "../scopes/scope-name.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { type HashTree, readAll, readKey } from "../tree/hash-tree.ts";
import { corrupt } from "./corrupt.ts";
import type { ReservePayload } from "./entry.ts";
import { isSameRecord } from "./held-records.ts";
import { type RequestHistory, remember, untouched } from "./history.ts";
import { readRequestRecord } from "./record.ts";
import { recordHash, sha256 } from "./record-hash.ts";

/** A snapshot, read and checked: as much of the chain as one reservation needs. Scopes are checked against the head when they are read. */
export interface State {
  readonly head: StoredRecord;
  readonly account: Account;
  readonly books: Books;
  readonly tree: HashTree;
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
  const { account, root } = readBalance(head, balance);
  const tree: HashTree = { root, node: (path) => snapshot.node(path) };
  const { history, paid, settled } = readRequest(snapshot.request);
  let released: string | null = null;
  if (settled) {
    if (!release || sha256(release) !== settled.sha256)
      throw corrupt("the stored release is not the one that was recorded", settled.sequence);
    released = utf8.decode(release);
  }
  return { head, account, books: booksOf(account, tree), tree, history, paid, release: released };
}

interface Balance {
  readonly head: StoredRecord;
  readonly balance: string;
  readonly account: Account;
  readonly root: string;
}

/** The balance that was read last: between two charges it is read again and again. */
let last: Balance | null = null;

/** Reads the account after a record, and checks both. Errors: ledger.corrupt. */
function readBalance(head: StoredRecord, balance: string): Balance {
  if (last && last.balance === balance && isSameRecord(last.head, head)) return last;
  const { hash, ...rest } = head;
  if (recordHash(rest) !== hash) throw corrupt("its hash is not that of its content", head.sequence);
  if (sha256(balance) !== head.balance) throw corrupt("the balance is not the one of the last record");
  last = { head, balance, ...readAccount(balance) };
  return last;
}

/** The same at the time of a decision, so that it decides by the windows of now. Errors: ledger.corrupt. */
export function stateAt(snapshot: Snapshot, at: number): State {
  const state = readState(snapshot);
  const account = seenAt(state.account, at);
  return { ...state, account, books: { ...state.books, account } };
}

/** Returns an account with the scopes of a tree, each read and checked when it is asked for. */
export function booksOf(account: Account, tree: HashTree): Books {
  const known = new Map<string, Scope | null>();
  return {
    account,
    scope(name: ScopeName) {
      const key = scopeKey(name);
      const before = known.get(key);
      if (before !== undefined) return before;
      const text = readKey(tree, key);
      const scope = text === null ? null : readScope(text);
      known.set(key, scope);
      return scope;
    },
    *all() {
      for (const text of readAll(tree)) yield readScope(text);
    },
  };
}

/** The records of one request, checked each by itself. */
export function readRequest(records: readonly StoredRecord[]): {
  readonly history: RequestHistory;
  readonly paid: State["paid"];
  readonly settled: { readonly sequence: number; readonly sha256: string } | null;
} {
  let history = untouched;
  let paid: State["paid"] = null;
  let settled: { sequence: number; sha256: string } | null = null;
  for (const record of records) {
    const entry = readRequestRecord(record, history.reserve?.principal ?? "");
    history = remember(history, entry);
    if (entry.kind === "reserve") paid = { record, payload: entry.payload };
    if (entry.kind === "settle") settled = { sequence: record.sequence, sha256: entry.payload.sha256 };
  }
  return { history, paid, settled };
}
