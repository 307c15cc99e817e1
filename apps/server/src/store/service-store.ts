import type {
  AuditLogStore,
  DashboardStore,
  KindRates,
  PendingStore,
  PeopleStore,
  RequestKind,
  RequestLimits,
  SessionStore,
  SignInAttempts,
} from "@lethe/serve";

/** What the service keeps beside the ledger: its people, their sessions and dashboards, and its audit log. A file holds it for one process, a PostgreSQL database for several at once. */
export interface ServiceStore {
  readonly people: PeopleStore;
  readonly audit: AuditLogStore;
  readonly sessions: SessionStore;
  readonly dashboards: DashboardStore;
  /** 32 bytes, drawn when the store was made: from them come the verifiers of names that nobody has, and the proofs of offers, the same after each start and in every process. */
  readonly secret: Uint8Array;
  /** Failed sign-ins, which delay those after them. */
  readonly attempts: SignInAttempts;
  /** Sign-ins that are away at a provider of identities. */
  readonly pending: PendingStore;
  /** Opens the rates that requests are held to, over at most so many buckets. */
  limits(rates: Readonly<Record<RequestKind, KindRates>>, most: number): RequestLimits;
  close(): Promise<void>;
}
