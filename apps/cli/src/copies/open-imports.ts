import { importOf, readManifest } from "@lethe/engine-duckdb/snapshots";
import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";

/** Returns what gives the random id of the import that froze the rows of a table, as engines have it; null of a table that is read as it lies. Opens no database. */
export async function openImports(
  { state }: Workspace,
  { database }: Policy,
): Promise<(table: string) => string | null> {
  if (database?.kind === "trino") {
    const { readTrinoManifest } = await import("@lethe/engine-trino");
    return (table) => readTrinoManifest(state, table)?.id ?? null;
  }
  return (table) => {
    const manifest = readManifest(state, table);
    return manifest === null ? null : importOf(manifest);
  };
}
