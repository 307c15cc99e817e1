import type { EngineLimits } from "@lethe/engine-duckdb";

/** What a worker opens, as plain data: it makes engine, entropy and clock itself. */
export interface WorkerSettings {
  /** The policy's YAML. */
  readonly policyText: string;
  readonly engine: EngineSettings;
  /** The public key of the ledger, SPKI PEM: the ledger itself stays in the main thread. */
  readonly publicKey: string;
  /** The owner's log: what goes there may hold data. */
  readonly logFile: string;
}

/** The engine that a worker asks, and the secret that chooses which groups of a unit are kept. */
export type EngineSettings = { readonly seed: string } & (
  | {
      readonly kind: "duckdb";
      /** The policy's folder, and the folder of its snapshots. */
      readonly baseDirectory: string;
      readonly stateDirectory: string;
      readonly limits?: Partial<Omit<EngineLimits, "removedAtEnd">>;
    }
  | { readonly kind: "postgres"; readonly url: string | null }
  | { readonly kind: "trino"; readonly url: string; readonly stateDirectory: string }
);
