import type { LetheError } from "@lethe/core";

/** A ledger that one service holds, or several processes of one service together. */
export interface HeldLedger {
  /** Lets the next service have it. */
  release(): void;
}

export interface HoldingService {
  /** The number of the service whose processes hold the ledger together, on several machines where its records lie in PostgreSQL: 31 bits, and not 0. */
  readonly number: number;
  /** Called where another service took the ledger while its server was away. */
  readonly onTaken?: (error: LetheError) => void;
}
