import { canonicalJson } from "@lethe/core/canonical";
import { accountText } from "../scopes/account.ts";
import type { Posting } from "../scopes/books.ts";
import { scopeText } from "../scopes/scope.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import type { Append, StoredRecord } from "../stores/store.ts";
import { type HashTree, writeKeys } from "../tree/hash-tree.ts";
import { corrupt } from "./corrupt.ts";
import { type Entry, entryOf } from "./entry.ts";
import { type Entry as FirstEntry, entryOf as firstEntryOf } from "./first-format/entry.ts";
import { heldEntry, keepHeld } from "./held-records.ts";
import { noRecord, recordHash, sha256 } from "./record-hash.ts";

/** The record that follows `head`, with the account and the scopes it leads to, in the tree of the account before. */
export function sealAfter(
  head: StoredRecord | null,
  at: number,
  entry: Entry,
  { account, scopes }: Posting,
  tree: HashTree,
  release: Uint8Array | null = null,
): Append {
  const { root, nodes } = writeKeys(
    tree,
    new Map(scopes.map((scope) => [scopeKey(scope.name), scopeText(scope)])),
  );
  const content = accountText(account, root);
  return { record: sealed(head, at, entry, content), balance: content, nodes, release };
}

/** The record that follows `head`, with the hash of the balance's text after it. */
export function sealed(
  head: StoredRecord | null,
  at: number,
  entry: Entry | FirstEntry,
  balance: string,
): StoredRecord {
  const open: Omit<StoredRecord, "hash"> = {
    sequence: head ? head.sequence + 1 : 0,
    at,
    kind: entry.kind,
    payload: canonicalJson(entry.payload),
    balance: sha256(balance),
    previous: head ? head.hash : noRecord,
  };
  return { ...open, hash: recordHash(open) };
}

/** Returns the entry that a record states. Errors: ledger.corrupt when its hash, its text or its shape does not hold. */
export function readRecord(record: StoredRecord): Entry {
  const known = heldEntry(record);
  if (known) return known;
  const entry = read(record, entryOf);
  keepHeld(record, entry);
  return entry;
}

/** Returns the entry of a record of the first format. Errors: as readRecord. */
export function readFirstRecord(record: StoredRecord): FirstEntry {
  return read(record, firstEntryOf);
}

/** Whether a first record is one of the first format, whose canonical payload ends with its version. */
export function beginsFirstFormat({ kind, payload }: StoredRecord): boolean {
  return kind === "genesis" && payload.endsWith('"version":1}');
}

/** Returns the entry of a record about a request, of whichever format; `principal` is whose it is where the first format does not say. */
export function readRequestRecord(record: StoredRecord, principal: string): Entry {
  const known = heldEntry(record);
  if (known) return known;
  let isOfToday = true;
  const entry = read(record, (kind, payload) => {
    const own = entryOf(kind, payload);
    isOfToday = own !== null;
    return own ?? later(firstEntryOf(kind, payload), principal);
  });
  if (isOfToday) keepHeld(record, entry);
  return entry;
}

/** A request's entry of the first format as one of today. */
function later(entry: FirstEntry | null, principal: string): Entry | null {
  switch (entry?.kind) {
    case "reserve":
      return { kind: "reserve", payload: { ...entry.payload, project: null, dataSets: [] } };
    case "settle":
      return { kind: "settle", payload: { ...entry.payload, principal } };
    case "fail":
      return { kind: "fail", payload: { ...entry.payload, principal } };
    default:
      return null;
  }
}

function read<E>(record: StoredRecord, entryOf: (kind: string, payload: unknown) => E | null): E {
  const { hash, ...rest } = record;
  if (recordHash(rest) !== hash) throw corrupt("its hash is not that of its content", record.sequence);
  let payload: unknown;
  try {
    payload = JSON.parse(record.payload);
  } catch {
    throw corrupt("its payload is not JSON", record.sequence);
  }
  const entry = entryOf(record.kind, payload);
  if (!entry) throw corrupt("its payload has not the fields of its kind", record.sequence);
  if (canonicalJson(payload) !== record.payload)
    throw corrupt("its payload is not canonical", record.sequence);
  return entry;
}
