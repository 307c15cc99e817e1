import { isImported } from "@lethe/engine-duckdb/snapshots";
import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";

/**
 * Whether questions read copies of a database's tables, and not the database: they do once a table was imported. No question reads both, so that whatever one answer is made of was
 * copied, and a table that was not imported is refused.
 */
export function readsCopies({ state }: Workspace, { database, tables }: Policy): boolean {
  return database !== null && Object.keys(tables).some((table) => isImported(state, table));
}
