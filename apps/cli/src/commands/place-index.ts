import { LetheError } from "@lethe/core";
import { buildIndex, type IndexState, indexState, readManifest } from "@lethe/engine-duckdb";
import type { SnapshotState } from "@lethe/engine-trino";
import type { Policy } from "@lethe/query";
import { requireOwnBudget } from "../account-policy.ts";
import { readsCopies } from "../copies/copies.ts";
import { ownersLog } from "../owners-log.ts";
import { showTimeLeft } from "../progress/show-time-left.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { say } from "../render/say.ts";
import { readSeed } from "../seed.ts";
import { policyOf, type Workspace, workspaceOf } from "../workspace.ts";

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

const words: Readonly<Record<IndexState, string>> = {
  built: "built; questions use it",
  "other-seed": "built under another secret seed, so questions do not use it: run lethe index build",
  none: "none; questions order the rows themselves, with the same answers: lethe index build makes one",
  stale: "the policy changed since the import: run lethe import, then lethe index build",
  "not-imported": "not imported: run lethe import, then lethe index build",
  "not-needed": "its rows do not name their units: there is nothing to order",
};

/** The same of a snapshot in Trino, which an import writes with the order of each unit's rows. */
const trinoWords: Readonly<Record<SnapshotState, string>> = {
  "in-force": "in the snapshot; questions use it",
  "other-seed": "noted under another secret seed, so questions order the rows themselves: run lethe import",
  stale: "the policy changed since the import: run lethe import",
  missing: "not imported, and other tables were: run lethe import",
  none: "none; questions on Trino order all rows themselves, with the same answers: run lethe import, which writes snapshots there with the order of each unit's rows",
};

async function trinoState(workspace: Workspace, policy: Policy, table: string): Promise<SnapshotState> {
  const { snapshotState } = await import("@lethe/engine-trino");
  return snapshotState(policy, table, workspace.state, readSeed(workspace.seed));
}

/** Says in what way a question that bounds a table's rows will find their order. Reads no row. */
export async function indexWords(policyPath: string, table: string): Promise<string> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  if (policy.database?.kind === "trino") return trinoWords[await trinoState(workspace, policy, table)];
  if (policy.database !== null && !readsCopies(workspace, policy))
    return `none; questions on PostgreSQL order all rows themselves, which takes tens of times as long as the plain query: run lethe import, which copies the tables, then lethe index build`;
  return words[indexState(policy, table, workspace.state, readSeed(workspace.seed))];
}

/**
 * Says that a question which limits what each unit of a table counts for would be quicker on a snapshot, and how to make one. Null
 * where the table has one. Reads no row.
 */
export async function importWords(policyPath: string, table: string): Promise<string | null> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  if (policy.database?.kind === "trino") {
    const state = await trinoState(workspace, policy, table);
    if (state === "none")
      return "none; questions on Trino group all rows by unit before they limit what each unit counts for, and hand them from machine to machine for it: run lethe import, which writes snapshots there";
    return state === "stale" || state === "missing" ? trinoWords[state] : null;
  }
  if (policy.database !== null)
    return readsCopies(workspace, policy)
      ? null
      : "none; questions on PostgreSQL sort all rows to choose those of each unit that count, which takes about 20 times as long as the plain query: run lethe import, which copies the tables for questions to read";
  if (readManifest(workspace.state, table)) return null;
  const file = policy.tables[table]?.file;
  return `none; questions choose each unit's rows and groups themselves, which takes about 20 to 50 times as long as the plain query: run lethe import ${file}`;
}

/** Runs lethe index status: says what each table's index is worth. Reads no row. */
export async function status(flags: IndexFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  const seed = readSeed(workspace.seed);
  for (const table of flags.table === undefined ? Object.keys(policy.tables) : [flags.table]) {
    const here = indexState(policy, table, workspace.state, seed);
    const isInTrino = policy.database?.kind === "trino" && here !== "not-needed";
    const state = isInTrino ? trinoWords[await trinoState(workspace, policy, table)] : words[here];
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
