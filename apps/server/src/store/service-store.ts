import type {
  AuditLogStore,
  DashboardStore,
  Journeys,
  KindRates,
  PendingStore,
  PeopleStore,
  RequestKind,
  RequestLimits,
  SessionStore,
  SignInAttempts,
} from "@lethe/serve";

/** What a process serves when it joins the others. */
export interface Joining {
  readonly policy: ServedPolicy;
  /** Gets the text of the policy that another process put in place: this one is to start again under it. */
  readonly replaced: (text: string) => void;
}

/** A policy as it is served. */
export interface ServedPolicy {
  readonly text: string;
  readonly hash: string;
}

/** One process of a service that several serve. */
export interface ServiceNode {
  readonly journeys: Journeys;
  /** Puts another policy in place, for all processes: from then on none answers under the one before. */
  putPolicy(policy: ServedPolicy): Promise<void>;
  /** Says at the other processes that a connection by this key is called off. */
  cancel(key: string): void;
  /** Calls `cancel` when another process says so, with what tells whether a key is the one that is meant. */
  onCancel(cancel: (isMeant: (key: string) => boolean) => void): void;
  leave(): Promise<void>;
}

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
  /** Joins the processes of one service; null where one process holds the store. */
  readonly join: ((joining: Joining) => Promise<ServiceNode>) | null;
  close(): Promise<void>;
}
