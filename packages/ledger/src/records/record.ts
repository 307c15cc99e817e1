import { createHash } from "node:crypto";
import { canonicalJson } from "@lethe/core/canonical";
import type { Balance } from "../account/balance.ts";
import { balanceText } from "../account/balance.ts";
import type { Append, StoredRecord } from "../stores/store.ts";
import { corrupt } from "./corrupt.ts";
import { type Entry, entryOf } from "./entry.ts";

/** The hash that the first record has in place of a predecessor's. */
export const noRecord: string = "0".repeat(64);

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Hash of a record: sha256 of a domain tag, the hash before, and the canonical JSON of everything else in it. */
export function recordHash(record: Omit<StoredRecord, "hash">): string {
  const { previous, ...rest } = record;
  return sha256(`lethe-ledger@1\n${previous}\n${canonicalJson(rest)}`);
}

/** The record that follows `head`, with the balance it leads to. */
export function sealAfter(
  head: StoredRecord | null,
  at: number,
  entry: Entry,
  balance: Balance,
  release: Uint8Array | null = null,
): Append {
  const content = balanceText(balance);
  const open: Omit<StoredRecord, "hash"> = {
    sequence: head ? head.sequence + 1 : 0,
    at,
    kind: entry.kind,
    payload: canonicalJson(entry.payload),
    balance: sha256(content),
    previous: head ? head.hash : noRecord,
  };
  return { record: { ...open, hash: recordHash(open) }, balance: content, release };
}

/** Returns the entry that a record states. Errors: ledger.corrupt when its hash, its text or its shape does not hold. */
export function readRecord(record: StoredRecord): Entry {
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
