import type { DatabasePolicy, Policy } from "@lethe/query";
import { openServer } from "../database/open-server.ts";
import { ownersLog } from "../owners-log.ts";
import { renderKeptRows } from "../render/kept-rows.ts";
import { say } from "../render/say.ts";
import type { Workspace } from "../workspace.ts";

/** Tells the owner what limits leave of each table of a database, as an import does of a file. It reads all rows, and is exact. Errors: engine.*. */
export async function tellKeptRows(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
): Promise<void> {
  // A seed decides which of a unit's rows are kept; how many are kept does not depend on it.
  const engine = await openServer({ policy, seed: "", log: ownersLog(workspace) }, database);
  try {
    for (const table of Object.keys(policy.tables)) {
      const kept = await engine.keptRows(table);
      if (kept === null) continue;
      const lines = renderKeptRows(kept, table, policy);
      say(lines.length === 0 ? `${table}: its limits keep every row` : `${table}:`);
      for (const line of lines) say(line);
    }
  } finally {
    await engine.close();
  }
  say("These numbers are exact and for you alone: analysts never see them.");
}
