import { createHash } from "node:crypto";
import type { StoredRecord } from "../stores/store.ts";
import { hashedText } from "./hashed-text.ts";

/** The hash that the first record has in place of a predecessor's. */
export const noRecord: string = "0".repeat(64);

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the hash of a record: SHA-256 of {@link hashedText}. */
export function recordHash(record: Omit<StoredRecord, "hash">): string {
  return sha256(hashedText(record));
}
