export interface PostgresStoreOptions {
  /** The time that a writer waits for the lock of another, and for an answer of the server, in milliseconds. Default 20,000. */
  readonly lockTimeoutMs?: number;
  /** Refuses a server that acknowledges without a synchronous replica. Default: what the URL says. */
  readonly requireSynchronousReplica?: boolean;
}
