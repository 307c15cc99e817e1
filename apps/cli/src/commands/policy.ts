import { LetheError } from "@lethe/core";
import { checkViews, type DatabasePolicy, lintPolicy, type Policy, policyHash } from "@lethe/query";
import { requireOwnAccount } from "../account-policy.ts";
import { headFileOf } from "../head-file.ts";
import { ownersLog } from "../owners-log.ts";
import { say } from "../render/say.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { checkTables } from "./check-tables.ts";
import { tellKeptRows } from "./tell-kept-rows.ts";

interface CheckFlags {
  readonly policy: string;
  readonly connect?: true;
  readonly rows?: true;
}

/**
 * Runs lethe policy check. Errors stop it, and so does a budget that the ledger does not hold; advice is printed. With --connect the tables
 * are checked first, where they lie. With --rows the owner is told what limits leave of them.
 */
export async function check(flags: CheckFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  headFileOf(workspace, policy);
  await checkViews(policy);
  await requireOwnAccount(workspace, policy);
  if (policy.database === null) {
    const { checkRoles } = await import("@lethe/engine-duckdb");
    await checkRoles(policy, workspace.base, ownersLog(workspace));
  }
  const counted = databaseToCount(flags, policy);
  const advice = [...(flags.connect ? await checkTables(workspace, policy) : []), ...lintPolicy(policy)];
  say(
    `The policy is sound. Hash ${policyHash(policy)}${flags.connect ? "\nEvery table is as the policy says." : "\nIts tables were not checked: --connect does so."}`,
  );
  for (const { path, message, fix } of advice) say(`advice: ${path}: ${message}\n  ${fix}`);
  if (counted !== null) await tellKeptRows(workspace, policy, counted);
}

/** Returns the database whose rows --rows counts; null without --rows. Errors: cli.usage where it has nothing to read. */
function databaseToCount({ connect, rows }: CheckFlags, { database }: Policy): DatabasePolicy | null {
  if (!rows) return null;
  if (!connect)
    throw new LetheError("cli.usage", "--rows reads what --connect has checked", {
      fix: "lethe policy check --connect --rows",
    });
  if (database !== null) return database;
  throw new LetheError(
    "cli.usage",
    "--rows is for tables in a database, and those of this policy are files",
    {
      fix: "lethe import TABLE_FILE, which says the same of a file",
    },
  );
}
