import { relative, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { importTable as importInto } from "@lethe/engine-duckdb";
import { type Policy, readPolicy } from "@lethe/query";
import { ownersLog } from "../owners-log.ts";
import { readText, type Workspace, workspaceOf } from "../workspace.ts";

interface ImportFlags {
  readonly policy: string;
  readonly table?: string;
}

/** lethe import: the owner freezes a table. What it says is for the owner alone. */
export async function importTable(file: string | undefined, flags: ImportFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = readPolicy(readText(workspace.policyPath, "the policy"));
  const table = flags.table ?? tableOf(file, policy, workspace);
  const report = await importInto({
    policy,
    table,
    baseDirectory: workspace.base,
    stateDirectory: workspace.state,
    clock: Date.now,
    log: ownersLog(workspace),
  });
  console.log(`${table}: ${report.rows} rows frozen into ${relative(process.cwd(), report.path)}`);
  if (report.rejected > 0) console.log(`${report.rejected} lines could not be read as CSV and were left out`);
  console.log("These numbers are yours alone: they are exact. Analysts never see them.");
}

function tableOf(file: string | undefined, policy: Policy, workspace: Workspace): string {
  const names = Object.keys(policy.tables);
  if (file === undefined && names.length === 1) return names[0]!;
  const matches = names.filter(
    (name) => file !== undefined && resolve(workspace.base, policy.tables[name]!.file) === resolve(file),
  );
  if (matches.length === 1) return matches[0]!;
  throw new LetheError("cli.usage", "cannot tell which table to import", {
    fix: `name it: lethe import --table ${names.join(" or --table ")}`,
  });
}
