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

/** Says of which moment the copies are that questions read in place of a database; null where they read the database or files. Reads no row. Errors: engine.source. */
export function copiesWords(workspace: Workspace, policy: Policy): string | null {
  if (!readsCopies(workspace, policy)) return null;
  const times = Object.keys(policy.tables).map((table) => {
    const manifest = readManifest(workspace.state, table);
    return `${table}: ${manifest === null ? "not imported" : `as of ${manifest.copied?.asOf ?? manifest.created}`}`;
  });
  return `Questions read copies of the database's tables: ${times.join(", ")}. lethe import makes newer ones`;
}
