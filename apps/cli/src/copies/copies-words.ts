import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";
import { openReadings } from "./open-readings.ts";

/**
 * Says of which moment the copies are that questions read in place of a database, here or as snapshots within Trino; null where they read the database or files. Reads no row. Errors: engine.source.
 */
export async function copiesWords(workspace: Workspace, policy: Policy): Promise<string | null> {
  if (policy.database === null) return null;
  const readingOf = await openReadings(workspace, policy);
  const readings = Object.keys(policy.tables).map((table) => readingOf(table, false));
  if (readings.every(({ from }) => from === "lies")) return null;
  const times = readings.map(({ table, from, snapshot, asOf }) => {
    if (asOf !== null) return `${table}: ${snapshot === null ? "" : `${snapshot} `}as of ${asOf}`;
    return `${table}: ${from === "stale" ? "imported under another policy" : "not imported"}`;
  });
  const what = policy.database.kind === "trino" ? "snapshots in Trino" : "copies of the database's tables";
  return `Questions read ${what}: ${times.join(", ")}. lethe import makes newer ones`;
}
