import { canonicalJson } from "@lethe/core/canonical";
import type { StoredRecord } from "../stores/store.ts";

export type { StoredRecord } from "../stores/store.ts";

/** Returns what a record's hash is taken of: a domain tag, the hash before, and the canonical JSON of everything else in it. */
export function hashedText(record: Omit<StoredRecord, "hash">): string {
  const { previous, ...rest } = record;
  return `lethe-ledger@1\n${previous}\n${canonicalJson(rest)}`;
}
