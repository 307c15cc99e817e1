import type { SecureEntropy } from "@lethe/core";
import type { Ledger } from "@lethe/ledger";
import type { Engine, Policy } from "@lethe/query";

/** What an answer needs: wired once by an app. Randomness, time and I/O arrive here and nowhere else. */
export interface House {
  readonly policy: Policy;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly entropy: SecureEntropy;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
