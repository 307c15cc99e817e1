import { LetheError } from "@lethe/core";
import { buildIndex } from "@lethe/engine-duckdb";
import { orderWords, type Policy } from "@lethe/query";
import { requireOwnBudget } from "../account-policy.ts";
import { openReadings } from "../copies/open-readings.ts";
import { ownersLog } from "../owners-log.ts";
import { showTimeLeft } from "../progress/show-time-left.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { say } from "../render/say.ts";
import { readSeed } from "../seed.ts";
import { tableNamed } from "../table-named.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

interface IndexFlags {
  readonly policy: string;
  readonly table?: string;
}

/** Runs lethe index build: the owner has the rows of each unit ordered once, so that questions need not. */
export async function build(flags: IndexFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  await requireOwnBudget(workspace, policy);
  if (policy.database?.kind === "trino")
    throw new LetheError("cli.usage", "an index on Trino is a part of the snapshot that an import writes", {
      fix: "run lethe import",
    });
  const seed = readSeed(workspace.seed);
  for (const table of flags.table === undefined ? tablesToIndex(policy) : [flags.table]) {
    const progress = showTimeLeft(() => performance.now());
    const { rows } = await buildIndex({
      policy,
      table,
      stateDirectory: workspace.state,
      seed,
      clock: Date.now,
      log: ownersLog(workspace),
      limits: { removedAtEnd },
      progress: progress.at,
    }).finally(progress.end);
    say(`${table}: ${rows} rows are in the index. This number is exact and for you alone.`);
  }
}

/** Runs lethe index status: says what each table's index is worth. Reads no row. */
export async function status(flags: IndexFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  const readingOf = await openReadings(workspace, policy);
  for (const table of flags.table === undefined ? Object.keys(policy.tables) : [flags.table]) {
    tableNamed(policy, table);
    const state = orderWords(readingOf(table, true), policy);
    say(
      `${table}: ${isRowBounded(policy, table) ? state : `${state} (used where bound is rows-before-filter)`}`,
    );
  }
}

function tablesToIndex(policy: Policy): readonly string[] {
  const tables = Object.keys(policy.tables).filter((table) => isRowBounded(policy, table));
  if (tables.length > 0) return tables;
  throw new LetheError("cli.usage", "no table of the policy limits rows before the filter", {
    fix: "write limit: rows-before-filter below a table whose rows name their unit, or name a table: lethe index build --table NAME",
  });
}

function isRowBounded(policy: Policy, table: string): boolean {
  return policy.tables[table]?.contribution.limit === "rows-before-filter";
}
