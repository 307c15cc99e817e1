import { importRows } from "@lethe/engine-duckdb";
import type { DatabasePolicy, Policy } from "@lethe/query";
import { databaseUrl } from "../database-url.ts";
import { ownersLog } from "../owners-log.ts";
import { showTimeLeft } from "../progress/show-time-left.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { say } from "../render/say.ts";
import { tableNamed } from "../table-named.ts";
import type { Workspace } from "../workspace.ts";
import { copiesWords } from "./copies.ts";
import { tellImport, tellOfIndex } from "./tell-import.ts";

/** A copy of a large table takes longer than a question may. */
const day = 86_400_000;

/**
 * Copies tables of a database into snapshots, all of one moment, through the role that may only read. Questions read the copies from then on. What it says is for the owner alone.
 * Errors: query.unknown-table, engine.*.
 */
export async function importFromDatabase(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) tableNamed(policy, table);
  const { openPostgres } = await import("@lethe/engine-postgres");
  const log = ownersLog(workspace);
  // Nothing is ordered yet: the copies keep every row.
  const engine = openPostgres({
    policy,
    url: databaseUrl(database),
    seed: "",
    log,
    limits: { timeoutMs: day },
  });
  const asOf = Date.now();
  const progress = showTimeLeft(() => performance.now());
  try {
    const reports = await engine
      .freeze(tables, (table, rows) =>
        importRows(
          {
            policy,
            table,
            source: tableNamed(policy, table).relation ?? table,
            asOf,
            stateDirectory: workspace.state,
            clock: Date.now,
            log,
            limits: { removedAtEnd },
            progress: progress.at,
          },
          rows,
        ),
      )
      .finally(progress.end);
    for (const report of reports) tellImport(report, policy);
  } finally {
    await engine.close();
  }
  say("These numbers are exact and for you alone: analysts never see them.");
  tellOfIndex(tables, policy);
  const copies = copiesWords(workspace, policy);
  if (copies !== null) say(`${copies}, and lethe import --remove has questions read the database again.`);
}
