import { resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { removeSnapshot } from "@lethe/engine-duckdb";
import type { Policy } from "@lethe/query";
import { requireOwnBudget } from "../account-policy.ts";
import { copiesWords } from "../copies/copies-words.ts";
import { tellImport, tellOfIndex } from "../copies/tell-import.ts";
import { importInTrino, removeFromTrino } from "../copies/trino-snapshots.ts";
import { importTables } from "../owner/import-tables.ts";
import { showTimeLeft } from "../progress/show-time-left.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { say } from "../render/say.ts";
import { tableNamed } from "../table-named.ts";
import { policyOf, type Workspace, workspaceOf } from "../workspace.ts";

interface ImportFlags {
  readonly policy: string;
  readonly table?: string;
  readonly remove?: true;
}

/** Runs lethe import: the owner freezes a table. What it says is for the owner alone. */
export async function importTable(file: string | undefined, flags: ImportFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  await requireOwnBudget(workspace, policy);
  if (policy.database !== null && file !== undefined)
    throw new LetheError("cli.usage", "the policy's tables lie in a database, and not in files", {
      fix: "lethe import copies all of them, lethe import --table NAME one",
    });
  const ofDatabase = flags.table === undefined ? Object.keys(policy.tables) : [flags.table];
  if (policy.database?.kind === "trino")
    return flags.remove
      ? removeFromTrino(workspace, policy, policy.database, ofDatabase)
      : importInTrino(workspace, policy, policy.database, ofDatabase);
  if (flags.remove)
    return removeCopies(
      workspace,
      policy,
      policy.database === null ? [flags.table ?? tableOf(file, policy, workspace)] : ofDatabase,
    );
  const tables = policy.database === null ? [flags.table ?? tableOf(file, policy, workspace)] : ofDatabase;
  const progress = showTimeLeft(() => performance.now());
  const how = { progress: progress.at, removedAtEnd };
  const reports = await importTables(workspace, policy, tables, how).finally(progress.end);
  for (const report of reports) tellImport(report, policy);
  say("These numbers are exact and for you alone: analysts never see them.");
  tellOfIndex(tables, policy);
  const copies = policy.database === null ? null : await copiesWords(workspace, policy);
  if (copies !== null) say(`${copies}, and lethe import --remove has questions read the database again.`);
}

/** Removes what was imported of tables: questions read them as they lie from then on. */
function removeCopies(workspace: Workspace, policy: Policy, tables: readonly string[]): void {
  for (const table of tables) {
    tableNamed(policy, table);
    const wasThere = removeSnapshot(workspace.state, table);
    say(`${table}: ${wasThere ? "the snapshot is removed" : "there is no snapshot to remove"}`);
  }
}

function tableOf(file: string | undefined, policy: Policy, workspace: Workspace): string {
  const names = Object.keys(policy.tables);
  const isNamed = (name: string): boolean =>
    file === undefined || resolve(workspace.base, tableNamed(policy, name).file ?? "") === resolve(file);
  const matches = names.filter(isNamed);
  const [found, ...others] = matches;
  if (found !== undefined && others.length === 0) return found;
  const problem =
    file === undefined
      ? "the policy has several tables"
      : matches.length === 0
        ? `${file} is not the file of any table in the policy`
        : `${file} is the file of several tables`;
  throw new LetheError("cli.usage", problem, {
    fix: `name the table: lethe import --table ${(matches.length > 0 ? matches : names).join(" or --table ")}`,
  });
}
