import { existsSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { say } from "../../render/say.ts";
import { declareChanged } from "../../repeats/declared-versions.ts";
import { tableNamed } from "../../table-named.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";

interface ChangedFlags {
  readonly policy: string;
  readonly table?: string;
}

/** Runs lethe data changed: the owner declares a new version of the data. Reads no row, and charges nothing. */
export function dataChanged({ policy: policyPath, table }: ChangedFlags): void {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  if (table !== undefined) tableNamed(policy, table);
  if (!existsSync(workspace.state))
    throw new LetheError("ledger.missing", `there is no ledger beside ${workspace.policyPath}`, {
      fix: "create one with lethe init",
      fields: { path: workspace.state },
    });
  const tables = table === undefined ? Object.keys(policy.tables) : [table];
  const id = declareChanged(workspace, tables);
  say(`${tables.join(", ")}: declared as changed, version ${id}`);
  say("Each question of them is paid for again once, and then answered as often as it is asked.");
}
