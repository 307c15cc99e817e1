import type { AuditLogStore, DashboardStore, PeopleStore, SessionStore } from "@lethe/serve";

/** What the service keeps beside the ledger: its people, their sessions and dashboards, and its audit log. A file holds it for one process, a PostgreSQL database for several at once. */
export interface ServiceStore {
  readonly people: PeopleStore;
  readonly audit: AuditLogStore;
  readonly sessions: SessionStore;
  readonly dashboards: DashboardStore;
  /** 32 bytes, drawn when the store was made: from them come the verifiers of names that nobody has, and the proofs of offers, the same after each start and in every process. */
  readonly secret: Uint8Array;
  close(): Promise<void>;
}
