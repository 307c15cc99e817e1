import type { Policy } from "@lethe/query";
import { readTrinoUrl } from "./client/trino-address.ts";
import { checkLimits, defaultLimits, type TrinoLimits } from "./limits.ts";
import { TrinoEngine } from "./trino-engine.ts";

export interface TrinoOptions {
  readonly policy: Policy;
  /** https://user@host:port/catalog/schema: see readTrinoUrl. */
  readonly url: string;
  /** Chooses which groups of a unit are kept. It stands in the text of statements; no promise rests on its secrecy. */
  readonly seed: string;
  /** The folder where an import keeps what it knows of snapshots; left out, tables are read as they lie. */
  readonly stateDirectory?: string;
  readonly limits?: Partial<TrinoLimits>;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
}

/**
 * An engine over the policy's tables on a Trino of version 476 or later. Connects when it is first asked: what is wrong with the server, the user or a table, `storage` says before
 * anything is charged. Errors: engine.source for a URL that is none.
 * @example const engine = openTrino({ policy, url: "https://lethe@trino.example:8443/lake/clinic", seed, log });
 */
export function openTrino({ policy, url, seed, log, ...options }: TrinoOptions): TrinoEngine {
  const limits = { ...defaultLimits, ...options.limits };
  checkLimits(limits);
  const address = readTrinoUrl(url);
  return new TrinoEngine({
    policy,
    address,
    seed,
    stateDirectory: options.stateDirectory ?? null,
    limits,
    log,
  });
}
