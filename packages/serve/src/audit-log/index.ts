export {
  type AuditEntry,
  type AuditHead,
  emptyHead,
  entryAfter,
  verifyAuditLog,
} from "./audit-chain.ts";
export type {
  Actor,
  AskedFact,
  AuditFact,
  AuditRecord,
  CountedFact,
  ProvedBy,
  ReceivedFact,
} from "./audit-fact.ts";
export { type AuditLogStore, entriesAfter } from "./audit-log.ts";
export { type AuditTrail, actorOf, noAuditTrail, nobodyAt, openAuditTrail } from "./audit-trail.ts";
export { countedMs } from "./fact-counts.ts";
export { verifyAuditStore } from "./verify-audit-store.ts";
