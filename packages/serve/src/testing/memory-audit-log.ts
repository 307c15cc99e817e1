import { type AuditEntry, emptyHead } from "../audit-log/audit-chain.ts";
import { type AuditLogStore, entriesAfter } from "../audit-log/audit-log.ts";

/** An {@link AuditLogStore} in memory, for tests. */
export function memoryAuditLog(): AuditLogStore {
  const entries: AuditEntry[] = [];
  return {
    head: async () => entries.at(-1) ?? emptyHead,
    write: async (records) => {
      const written = entriesAfter(entries.at(-1) ?? emptyHead, records);
      entries.push(...written);
      return written;
    },
    page: async (before, most) =>
      entries
        .slice(0, before ?? undefined)
        .slice(-most)
        .reverse(),
  };
}
