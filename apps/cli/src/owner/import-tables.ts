import { LetheError } from "@lethe/core";
import type { ImportReport, Progress } from "@lethe/engine-duckdb";
import type { DatabasePolicy, Policy } from "@lethe/query";
import { databaseUrl } from "../database/database-url.ts";
import { ownersLog } from "../owners-log.ts";
import { tableNamed } from "../table-named.ts";
import type { Workspace } from "../workspace.ts";

/** How tables are imported. */
export interface ImportHow {
  /** Called as rows are read. */
  readonly progress?: Progress;
  /** See {@link OpenOptions}. */
  readonly removedAtEnd?: (remove: () => void) => () => void;
}

/** A copy of a large table takes longer than a question may. */
const day = 86_400_000;

/**
 * Freezes tables of a policy, which questions read from then on: each from its file, or all of one moment from the database, through the role that may
 * only read. The reports are exact, for the owner alone. Errors: query.unknown-table, engine.*, cli.file.
 */
export async function importTables(
  workspace: Workspace,
  policy: Policy,
  tables: readonly string[],
  how: ImportHow = {},
): Promise<readonly ImportReport[]> {
  for (const table of tables) tableNamed(policy, table);
  if (policy.database !== null) return copied(workspace, policy, policy.database, tables, how);
  const { importTable } = await import("@lethe/engine-duckdb");
  const reports: ImportReport[] = [];
  for (const table of tables)
    reports.push(
      await importTable({ ...shared(workspace, policy, table, how), baseDirectory: workspace.base }),
    );
  return reports;
}

async function copied(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
  tables: readonly string[],
  how: ImportHow,
): Promise<readonly ImportReport[]> {
  if (database.kind !== "postgres")
    throw new LetheError("engine.source", "tables of Trino are not copied to this machine", {
      fix: "freeze them where they lie: lethe import",
      fields: { kind: database.kind },
    });
  const [{ openPostgres }, { importRows }] = await Promise.all([
    import("@lethe/engine-postgres"),
    import("@lethe/engine-duckdb"),
  ]);
  const log = ownersLog(workspace);
  // Nothing is ordered yet: the copies keep every row.
  const limits = { timeoutMs: day };
  const engine = openPostgres({ policy, url: databaseUrl(database), seed: "", log, limits });
  const asOf = Date.now();
  try {
    return await engine.freeze(tables, (table, rows) => {
      const source = tableNamed(policy, table).relation ?? table;
      return importRows({ ...shared(workspace, policy, table, how), source, asOf }, rows);
    });
  } finally {
    await engine.close();
  }
}

function shared(
  workspace: Workspace,
  policy: Policy,
  table: string,
  { progress, removedAtEnd }: ImportHow,
): {
  readonly policy: Policy;
  readonly table: string;
  readonly stateDirectory: string;
  readonly clock: () => number;
  readonly log: (detail: string) => void;
  readonly limits: { readonly removedAtEnd?: (remove: () => void) => () => void };
  readonly progress?: Progress;
} {
  return {
    policy,
    table,
    stateDirectory: workspace.state,
    clock: Date.now,
    log: ownersLog(workspace),
    limits: removedAtEnd === undefined ? {} : { removedAtEnd },
    ...(progress === undefined ? {} : { progress }),
  };
}
