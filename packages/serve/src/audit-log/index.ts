export {
  type AuditEntry,
  type AuditHead,
  emptyHead,
  entryAfter,
  verifyAuditLog,
} from "./audit-chain.ts";
export type { Actor, AuditFact, AuditRecord, ProvedBy } from "./audit-fact.ts";
export { type AuditLogStore, writeAudit } from "./audit-log.ts";
