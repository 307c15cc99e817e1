import type { DuckDBConnection } from "@duckdb/node-api";
import {
  duckdb,
  type KeptRows,
  keptRows,
  type Policy,
  snapshotColumns,
  type TablePolicy,
  unitColumn,
} from "@lethe/query";
import { onlyRow } from "../only-row.ts";
import { quoteIdentifier, quoteRelation, quoteText } from "../quote.ts";
import { type LostValues, lostValues, type PresentValues } from "./lost-values.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { type Progress, runTelling } from "./progress.ts";
import { unitNumbersDiffer } from "./unit-numbers.ts";

/** The table of a policy that is written. */
export interface SnapshotJob {
  readonly table: string;
  readonly policy: TablePolicy;
  readonly whole: Policy;
  readonly progress: Progress;
}

/** The rows to write: a SELECT of the columns of a snapshot, and what counts the values that were there before they were cleaned. */
export interface SnapshotRows {
  readonly select: string;
  readonly present: PresentValues;
}

/** What was written. */
export interface Written {
  readonly columns: SnapshotManifest["columns"];
  readonly rows: number;
  readonly unitNumbers: boolean;
  readonly lost: readonly LostValues[];
  readonly kept: KeptRows | null;
}

/** Writes a snapshot's file of the rows that a SELECT makes. Rejects with whatever DuckDB says. */
export async function writeSnapshot(
  connection: DuckDBConnection,
  { table, policy, whole, progress }: SnapshotJob,
  { select, present }: SnapshotRows,
  draft: string,
): Promise<Written> {
  await connection.run(`ATTACH ${quoteText(draft)} AS snapshot`);
  const target = quoteRelation(["snapshot", "main", table]);
  const columns = snapshotColumns(policy, duckdb);
  const declared = columns.map(
    ({ name, type, nullable }) => `${quoteIdentifier(name)} ${type}${nullable ? "" : " NOT NULL"}`,
  );
  await connection.run(`CREATE TABLE ${target} (${declared.join(", ")})`);
  // Rows of one unit are put side by side: grouping by unit then touches each block of memory once.
  const isOwned = policy.unit.kind === "column" || policy.unit.kind === "through";
  const order = isOwned ? ` ORDER BY ${quoteIdentifier(unitColumn)}` : "";
  const insert = { sql: `INSERT INTO ${target} ${select}${order}` };
  const result = await runTelling(connection, insert, (share) => progress("writing rows", share));
  const rows = result.rowsChanged;
  const unitNumbers = policy.unit.kind === "column" && (await unitNumbersDiffer(connection, target));
  const lost = await lostValues(connection, policy, present, target);
  const snapshot = { relation: ["snapshot", "main", table], layout: "snapshot" } as const;
  const kept = await keptRows(whole, table, snapshot, duckdb, async (sql) =>
    (await onlyRow(connection, sql)).map(Number),
  );
  await connection.run("CHECKPOINT snapshot");
  await connection.run("DETACH snapshot");
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows, unitNumbers, lost, kept };
}
