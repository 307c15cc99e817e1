import { type AuditEntry, type AuditHead, entryAfter } from "./audit-chain.ts";
import type { AuditRecord } from "./audit-fact.ts";

/** A durable place for the entries of the audit log. testing/src/contracts/audit-log-contract.ts says what a store must do, as tests. */
export interface AuditLogStore {
  /** The place of the last entry, or that of {@link emptyHead}. */
  head(): Promise<AuditHead>;
  /**
   * Writes records down after the last entry, in their order and with nothing between them, and returns their entries once all are durable. Whoever writes at the same time, in this process or another, writes before or after
   * them. What could not be written is an error of the store, and whoever wanted it written down goes no further.
   */
  write(records: readonly AuditRecord[]): Promise<readonly AuditEntry[]>;
  /** At most `most` entries with a sequence below `before`, the newest first; null begins at the end. */
  page(before: number | null, most: number): Promise<readonly AuditEntry[]>;
}

/** The entries of records that follow a head, in their order. */
export function entriesAfter(head: AuditHead, records: readonly AuditRecord[]): readonly AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (const record of records) entries.push(entryAfter(entries.at(-1) ?? head, record));
  return entries;
}
