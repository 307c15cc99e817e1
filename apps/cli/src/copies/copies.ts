import { isImported, readManifest } from "@lethe/engine-duckdb/snapshots";
import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";

/**
 * Whether questions read copies of a database's tables, and not the database: they do once a table was imported. No question reads both, so that whatever one answer is made of was
 * copied, and a table that was not imported is refused.
 */
export function readsCopies({ state }: Workspace, { database, tables }: Policy): boolean {
  return database !== null && Object.keys(tables).some((table) => isImported(state, table));
}

/**
 * Says of which moment the copies are that questions read in place of a database, here or as snapshots within Trino; null where they read the database or files. Reads no row. Errors: engine.source.
 */
export async function copiesWords(workspace: Workspace, policy: Policy): Promise<string | null> {
  if (policy.database?.kind === "trino") return snapshotsWords(workspace, policy);
  if (!readsCopies(workspace, policy)) return null;
  const times = Object.keys(policy.tables).map((table) => {
    const manifest = readManifest(workspace.state, table);
    return `${table}: ${manifest === null ? "not imported" : `as of ${manifest.copied?.asOf ?? manifest.created}`}`;
  });
  return `Questions read copies of the database's tables: ${times.join(", ")}. lethe import makes newer ones`;
}

async function snapshotsWords({ state }: Workspace, policy: Policy): Promise<string | null> {
  const { readsSnapshots, readTrinoManifest } = await import("@lethe/engine-trino");
  if (!readsSnapshots(policy, state)) return null;
  const snapshots = Object.keys(policy.tables).map((table) => {
    const manifest = readTrinoManifest(state, table);
    return `${table}: ${manifest === null ? "not imported" : `${manifest.relation.join(".")} as of ${manifest.asOf}`}`;
  });
  return `Questions read snapshots in Trino: ${snapshots.join(", ")}. lethe import makes newer ones`;
}
