import { createHash } from "node:crypto";
import { canonicalJson } from "@lethe/core/canonical";
import type { StoredRecord } from "../stores/store.ts";

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
