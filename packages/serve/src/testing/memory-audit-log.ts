import { type AuditEntry, emptyHead } from "../audit-log/audit-chain.ts";
import type { AuditLogStore } from "../audit-log/audit-log.ts";

/** An {@link AuditLogStore} in memory, for tests. */
export function memoryAuditLog(): AuditLogStore {
  const entries: AuditEntry[] = [];
  return {
    head: async () => entries.at(-1) ?? emptyHead,
    append: async (entry) => {
      if (entry.sequence !== entries.length) return false;
      entries.push(entry);
      return true;
    },
    page: async (before, most) =>
      entries
        .slice(0, before ?? undefined)
        .slice(-most)
        .reverse(),
  };
}
