import { type OrderKept, type Policy, readingAsItLies, type TableReading } from "@lethe/query";
import { readsSnapshots } from "./snapshot-in-force.ts";
import { domainHash, placesSeed, readTrinoManifest, type TrinoManifest } from "./trino-manifest.ts";

/** A table, and what is asked of it. */
export interface TrinoReadingAsked {
  readonly policy: Policy;
  readonly table: string;
  /** The folder of the manifests of snapshots. */
  readonly stateDirectory: string;
  /** Whether the question limits the table's rows before the filter. */
  readonly needsOrder: boolean;
  /** Returns the secret by which rows are ordered; it is called where a manifest has an order. */
  readonly seed: () => string;
}

/** Returns how questions read a table of Trino, from the manifests alone: asks no server and reads no row. Errors: engine.source. */
export function readingInTrino({
  policy,
  table,
  stateDirectory,
  needsOrder,
  seed,
}: TrinoReadingAsked): TableReading {
  const lies = readingAsItLies(policy, table, needsOrder);
  const manifest = readTrinoManifest(stateDirectory, table);
  if (manifest === null)
    return readsSnapshots(policy, stateDirectory) ? { ...lies, from: "not-imported" } : lies;
  const tablePolicy = policy.tables[table];
  if (tablePolicy === undefined || manifest.domainHash !== domainHash(tablePolicy))
    return { ...lies, from: "stale" };
  const { relation, asOf } = manifest;
  const order = lies.order === "none" ? orderOf(manifest, seed) : lies.order;
  return { table, from: "snapshot", snapshot: relation.join("."), asOf, order };
}

function orderOf({ places }: TrinoManifest, seed: () => string): OrderKept {
  if (places === null) return "none";
  return places === placesSeed(seed()) ? "built" : "other-seed";
}
