import type { Policy } from "@lethe/query";
import { readsSnapshots } from "./snapshot-in-force.ts";
import { domainHash, placesSeed, readTrinoManifest } from "./trino-manifest.ts";

/**
 * in-force: questions read it. other-seed: they do, but rows have their places under another secret seed, so that questions order the rows of a unit themselves. stale: it cannot be asked, for the policy changed since. missing: it cannot
 * be asked, for other tables were imported and this one was not. none: questions read the table as it lies.
 */
export type SnapshotState = "in-force" | "other-seed" | "stale" | "missing" | "none";

/** Returns whether questions read the snapshot of a table, from its manifest alone: asks no server and reads no row. Errors: engine.source. */
export function snapshotState(
  policy: Policy,
  table: string,
  stateDirectory: string,
  seed: string,
): SnapshotState {
  const tablePolicy = policy.tables[table];
  const manifest = readTrinoManifest(stateDirectory, table);
  if (manifest === null) return readsSnapshots(policy, stateDirectory) ? "missing" : "none";
  if (tablePolicy === undefined || manifest.domainHash !== domainHash(tablePolicy)) return "stale";
  return manifest.places === null || manifest.places === placesSeed(seed) ? "in-force" : "other-seed";
}
