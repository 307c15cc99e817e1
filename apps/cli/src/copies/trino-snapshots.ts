import { LetheError } from "@lethe/core";
import type { TrinoImport } from "@lethe/engine-trino";
import type { DatabasePolicy, Policy } from "@lethe/query";
import { requiredUrl } from "../database/database-url.ts";
import { ownersLog } from "../owners-log.ts";
import { say } from "../render/say.ts";
import { readSeed } from "../seed.ts";
import { tableNamed } from "../table-named.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Freezes tables of Trino into snapshots in Trino, by the user of the owner's URL, which questions read from then on; each row of a unit gets its place there. What it says is for the owner
 * alone. Errors: engine.*, query.unknown-table.
 */
export async function importInTrino(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) tableNamed(policy, table);
  const { importTrino } = await import("@lethe/engine-trino");
  for (const table of tables) {
    const { rows, manifest } = await importTrino({
      ...shared(workspace, policy, database, table),
      url: requiredUrl(database),
      seed: readSeed(workspace.seed),
      clock: Date.now,
    });
    say(`${table}: ${rows} rows frozen into ${manifest.relation.join(".")}`);
  }
  say("These numbers are exact and for you alone: analysts never see them.");
  say("Questions read these snapshots, and lethe import --remove has questions read the tables again.");
}

/** Drops the snapshots of tables: questions read them as they lie from then on. */
export async function removeFromTrino(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
  tables: readonly string[],
): Promise<void> {
  const { removeTrinoSnapshot } = await import("@lethe/engine-trino");
  for (const table of tables) {
    tableNamed(policy, table);
    const wasThere = await removeTrinoSnapshot(shared(workspace, policy, database, table));
    say(`${table}: ${wasThere ? "the snapshot is removed" : "there is no snapshot to remove"}`);
  }
}

type Shared = Pick<TrinoImport, "policy" | "table" | "stateDirectory" | "log" | "ownersUrl">;

function shared(workspace: Workspace, policy: Policy, database: DatabasePolicy, table: string): Shared {
  const { state: stateDirectory } = workspace;
  return { policy, table, stateDirectory, log: ownersLog(workspace), ownersUrl: ownersUrl(database) };
}

/** The URL of a user that may write, whose path says where snapshots are kept. Errors: engine.source. */
function ownersUrl({ urlVariable }: DatabasePolicy): string {
  const variable = `${urlVariable}_OWNER`;
  const url = process.env[variable];
  if (url !== undefined && url !== "") return url;
  throw new LetheError("engine.source", `the environment variable ${variable} holds no URL`, {
    fix: `export ${variable}=https://owner@host:8443/iceberg/lethe: a user that may write, and where snapshots are kept`,
    fields: { variable },
  });
}
