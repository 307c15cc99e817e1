import { type AuditEntry, type AuditHead, entryAfter } from "./audit-chain.ts";
import type { AuditRecord } from "./audit-fact.ts";

/** A durable place for the entries of the audit log. */
export interface AuditLogStore {
  /** The place of the last entry, or that of {@link emptyHead}. */
  head(): Promise<AuditHead>;
  /** Appends an entry, and is durable when it returns true. Returns false, and appends nothing, where another entry came first. */
  append(entry: AuditEntry): Promise<boolean>;
  /** At most `most` entries with a sequence below `before`, the newest first; null begins at the end. */
  page(before: number | null, most: number): Promise<readonly AuditEntry[]>;
}

/**
 * Writes a record down, and returns its entry once it is durable. Records of several callers follow one another. What could not be written is an error of the store, and whoever
 * wanted it written down goes no further.
 */
export async function writeAudit(store: AuditLogStore, record: AuditRecord): Promise<AuditEntry> {
  for (;;) {
    const entry = entryAfter(await store.head(), record);
    if (await store.append(entry)) return entry;
  }
}
