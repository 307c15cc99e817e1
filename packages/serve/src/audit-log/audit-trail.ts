import { LetheError } from "@lethe/core";
import type { Principal } from "../access/index.ts";
import type { Actor, AuditFact, AuditRecord, CountedFact } from "./audit-fact.ts";
import type { AuditLogStore } from "./audit-log.ts";
import { FactCounts } from "./fact-counts.ts";

/** The audit log as the service writes it. Once a fact could not be written, nothing passes any more until the service is started again. */
export interface AuditTrail {
  /** Writes a fact down, and is durable when it returns. Errors: log.lost. */
  write(actor: Actor, fact: AuditFact): Promise<void>;
  /**
   * Writes a fact down where it is the first of its kind and sender in ten minutes, and counts it otherwise; the number is written in a later window, or at the end. So the log grows by a bounded number of facts,
   * however often somebody fails. Errors: log.lost.
   * @param apart what else tells such facts apart; it is not written
   */
  count(actor: Actor, fact: CountedFact, apart?: string): Promise<void>;
  /** Passes while the log holds every fact so far. Errors: log.lost. */
  requireKept(): void;
  /** Writes down what was counted. */
  close(): Promise<void>;
}

/** What a trail is made of. */
export interface AuditTrailParts {
  readonly store: AuditLogStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Is told once what went wrong, for the owner alone. */
  readonly lost: (error: unknown) => void;
}

/** Opens the audit log for writing. */
export function openAuditTrail(parts: AuditTrailParts): AuditTrail {
  return new Trail(parts);
}

/** Keeps nothing: for a process that has the rights of whoever started it, as the command line has. What it charges stands in the ledger. */
export const noAuditTrail: AuditTrail = {
  write: async () => undefined,
  count: async () => undefined,
  requireKept: () => undefined,
  close: async () => undefined,
};

/** The one who sends a request, as the log names them: a token or a session by its public id. */
export function actorOf({ name, proof, address }: Principal): Actor {
  const id = proof.kind === "token" ? proof.token : proof.session;
  return { name, by: proof.kind, id, address: address ?? null };
}

/** A sender whom nobody knows. */
export function nobodyAt(address: string): Actor {
  return { name: null, by: null, id: null, address };
}

class Trail implements AuditTrail {
  readonly #parts: AuditTrailParts;
  readonly #counts = new FactCounts();
  #isLost = false;

  constructor(parts: AuditTrailParts) {
    this.#parts = parts;
  }

  async write(actor: Actor, fact: AuditFact): Promise<void> {
    const at = this.#parts.now();
    await this.#put([...this.#counts.turn(at), { at, actor, fact }]);
  }

  async count(actor: Actor, fact: CountedFact, apart = ""): Promise<void> {
    const at = this.#parts.now();
    const counted = this.#counts.turn(at);
    const record = { at, actor, fact };
    await this.#put(this.#counts.isFirst(record, apart) ? [...counted, record] : counted);
  }

  requireKept(): void {
    if (this.#isLost) throw lost();
  }

  async close(): Promise<void> {
    await this.#put(this.#counts.end(this.#parts.now()));
  }

  async #put(records: readonly AuditRecord[]): Promise<void> {
    this.requireKept();
    try {
      if (records.length > 0) await this.#parts.store.write(records);
    } catch (error) {
      if (!this.#isLost) this.#parts.lost(error);
      this.#isLost = true;
      throw lost();
    }
  }
}

function lost(): LetheError {
  return new LetheError("log.lost", "a fact could not be written to the audit log", {
    fix: "look into the owner's log, free disk space or restore the file, and start the service again",
  });
}
