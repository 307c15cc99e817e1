import { readingOfManifest, readManifest } from "@lethe/engine-duckdb/snapshots";
import { type Policy, type ReadingOf, readingAsItLies } from "@lethe/query";
import { readSeed } from "../seed.ts";
import type { Workspace } from "../workspace.ts";
import { readsCopies } from "./copies.ts";

/** Returns what says how questions of a workspace read a table, from the manifests of its imports: opens no database and reads no row. */
export async function openReadings(workspace: Workspace, policy: Policy): Promise<ReadingOf> {
  const { state: stateDirectory } = workspace;
  const seed = (): string => readSeed(workspace.seed);
  if (policy.database?.kind === "trino") {
    const { readingInTrino } = await import("@lethe/engine-trino");
    return (table, needsOrder) => readingInTrino({ policy, table, stateDirectory, needsOrder, seed });
  }
  if (policy.database !== null && !readsCopies(workspace, policy))
    return (table, needsOrder) => readingAsItLies(policy, table, needsOrder);
  return (table, needsOrder) => {
    const manifest = readManifest(stateDirectory, table);
    return readingOfManifest({ policy, table, manifest, needsOrder, seed });
  };
}
