import { relative, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { importTable as importInto } from "@lethe/engine-duckdb";
import { type Policy, plural } from "@lethe/query";
import { requireOwnBudget } from "../account-policy.ts";
import { ownersLog } from "../owners-log.ts";
import { showTimeLeft } from "../progress/show-time-left.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { renderKeptRows } from "../render/kept-rows.ts";
import { say } from "../render/say.ts";
import { tableNamed } from "../table-named.ts";
import { policyOf, type Workspace, workspaceOf } from "../workspace.ts";

interface ImportFlags {
  readonly policy: string;
  readonly table?: string;
}

/** Runs lethe import: the owner freezes a table. What it says is for the owner alone. */
export async function importTable(file: string | undefined, flags: ImportFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  await requireOwnBudget(workspace, policy);
  const table = flags.table ?? tableOf(file, policy, workspace);
  const progress = showTimeLeft(() => performance.now());
  const report = await importInto({
    policy,
    table,
    baseDirectory: workspace.base,
    stateDirectory: workspace.state,
    clock: Date.now,
    log: ownersLog(workspace),
    limits: { removedAtEnd },
    progress: progress.at,
  }).finally(progress.end);
  say(`${table}: ${report.rows} rows frozen into ${relative(process.cwd(), report.path)}`);
  for (const { column, values } of report.lost)
    say(`${column}: NULL in place of ${plural(values, "value")} that the policy does not allow`);
  if (report.kept) for (const line of renderKeptRows(report.kept, table, policy)) say(line);
  say("These numbers are exact and for you alone: analysts never see them.");
  const { limit } = tableNamed(policy, table).contribution;
  if (limit === "rows-before-filter")
    say(`${table} limits rows before the filter: run lethe index build to order them once for all questions`);
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
