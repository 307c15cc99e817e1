import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import {
  doubleRoles,
  duckdb,
  type KeptRows,
  keptRows,
  type Policy,
  snapshotColumns,
  snapshotSelect,
  type TablePolicy,
  unitColumn,
} from "@lethe/query";
import { Attachments } from "../attach.ts";
import { checkSchema } from "../check-schema.ts";
import { inInstance } from "../instance.ts";
import { defaultLimits, type EngineLimits } from "../limits.ts";
import { onlyRow } from "../only-row.ts";
import { quoteIdentifier, quoteRelation, quoteText } from "../quote.ts";
import { fileOf, sourceKind, sourcePath } from "../source-file.ts";
import { sourcesRead } from "../sources-read.ts";
import { checkCsv } from "./check-csv.ts";
import { csvScan } from "./csv-scan.ts";
import { domainHash } from "./domain-hash.ts";
import { draftFile, draftFolder } from "./draft.ts";
import { type LostValues, lostValues } from "./lost-values.ts";
import { fileStem, type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";
import { type Progress, runTelling } from "./progress.ts";
import { publish } from "./publish.ts";
import { unitNumbersDiffer } from "./unit-numbers.ts";

export interface ImportOptions {
  readonly policy: Policy;
  readonly table: string;
  /** The policy's folder. */
  readonly baseDirectory: string;
  /** The folder that gets snapshots/, with the snapshot and its manifest. */
  readonly stateDirectory: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
  readonly limits?: Partial<EngineLimits>;
  /** Hears how far the import is. */
  readonly progress?: Progress;
}

/** The report to the owner. The number of rows is data: it must not go where analysts see it. */
export interface ImportReport {
  readonly table: string;
  readonly manifest: SnapshotManifest;
  /** The snapshot's file. */
  readonly path: string;
  readonly rows: number;
  /** The values that are NULL now, since they are not valid in their column; likewise data. */
  readonly lost: readonly LostValues[];
  /** The rows that the limits on a unit's rows keep; likewise data. Null where there are no limits to enforce. */
  readonly kept: KeptRows | null;
}

/**
 * Freezes a table's file into a typed, clamped, fixed-point snapshot under the policy: what questions read from then
 * on. A CSV is read as text alone, and must be well-formed: see ./check-csv.ts. Rows of one unit are stored together. The snapshot appears whole or not at all, and
 * replaces the one before. Errors: policy.roles, engine.source, engine.schema, query.unknown-table; they may name a column, never a value.
 * @example await importTable({ policy, table: "people", baseDirectory: ".", stateDirectory: ".lethe", clock, log })
 */
export async function importTable(options: ImportOptions): Promise<ImportReport> {
  const { policy, table, log } = options;
  const tablePolicy = Object.hasOwn(policy.tables, table) ? policy.tables[table] : undefined;
  if (!tablePolicy) {
    throw new LetheError("query.unknown-table", `the policy has no table ${table}`, {
      fix: "name a table of the policy",
      fields: { table },
    });
  }
  const state = resolve(options.stateDirectory);
  const kind = sourceKind(table, tablePolicy);
  const path = sourcePath(table, tablePolicy, options.baseDirectory);
  const { progress = () => undefined } = options;
  const job = { table, policy: tablePolicy, whole: policy, path, log, progress };
  const limits = { ...defaultLimits(state), ...options.limits };
  const read = await sourcesRead(policy, options.baseDirectory, limits, log);
  const clash = doubleRoles(policy, read).find(({ tables }) => tables.includes(table));
  if (clash) throw clash.error;
  const id = randomUUID();
  const file = `${fileStem(table)}-${id}.duckdb`;
  const folder = draftFolder(state, limits);
  const draft = draftFile(folder);
  try {
    const written =
      kind === "csv"
        ? await writeFromCsv(job, draft, limits)
        : await writeFromDatabase(job, kind, draft, limits);
    const manifest = await publish(draft, state, {
      id,
      table,
      source: fileOf(tablePolicy),
      file,
      domainHash: domainHash(tablePolicy),
      columns: written.columns,
      rows: written.rows,
      unitNumbers: written.unitNumbers,
      created: new Date(options.clock()).toISOString(),
    });
    return {
      table,
      manifest,
      path: join(snapshotsDirectory(state), file),
      rows: written.rows,
      lost: written.lost,
      kept: written.kept,
    };
  } finally {
    folder.remove();
  }
}

interface ImportJob {
  readonly table: string;
  readonly policy: TablePolicy;
  readonly whole: Policy;
  readonly path: string;
  readonly log: (detail: string) => void;
  readonly progress: Progress;
}

interface Written {
  readonly columns: SnapshotManifest["columns"];
  readonly rows: number;
  readonly unitNumbers: boolean;
  readonly lost: readonly LostValues[];
  readonly kept: KeptRows | null;
}

/** Writes one row for each record. A file that DuckDB reads in another way than it was checked is not frozen. */
async function writeFromCsv(job: ImportJob, draft: string, limits: EngineLimits): Promise<Written> {
  const { table, policy, path } = job;
  const { names, relation } = csvScan(table, policy, path);
  const records = await guarded(job, () =>
    checkCsv(table, policy, path, names.length, (share) => job.progress(`checking ${fileOf(policy)}`, share)),
  );
  const write = (parallel: boolean): Promise<Written> =>
    inInstance(limits, async (connection) => {
      await connection.run(`CREATE VIEW source AS SELECT * FROM ${relation(parallel)}`);
      const written = await writeSnapshot(connection, job, ["memory", "main", "source"], draft);
      if (written.rows !== records) throw new Error(`${records} records were read as ${written.rows} rows`);
      return written;
    });
  try {
    return await write(true);
  } catch (error) {
    if (error instanceof LetheError) throw error;
    // DuckDB's threads begin in the middle of the file and must guess where a record begins; one thread need not.
    job.log(`${table}: ${message(error)}`);
    rmSync(draft, { force: true });
    rmSync(`${draft}.wal`, { force: true });
    return guarded(job, () => write(false));
  }
}

function writeFromDatabase(
  job: ImportJob,
  kind: "parquet" | "duckdb",
  draft: string,
  limits: EngineLimits,
): Promise<Written> {
  const { table, policy, path, log } = job;
  return guarded(job, () =>
    inInstance(limits, async (connection) => {
      const attachments = new Attachments(connection, log);
      const { relation } =
        kind === "parquet"
          ? await attachments.parquet(table, path)
          : await attachments.database(table, path, policy.relation ?? table);
      await checkSchema(connection, table, policy, relation, log);
      return writeSnapshot(connection, job, relation, draft);
    }),
  );
}

/** Runs the work, and sends details of an error to the log, since they may quote the data. */
async function guarded<T>(job: ImportJob, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LetheError) throw error;
    job.log(`${job.table}: ${message(error)}`);
    throw new LetheError(
      "engine.source",
      `${fileOf(job.policy)} could not be imported; details are in the owner's log`,
      {
        fix: "read the log; lack of memory or disk is helped by more of it",
        fields: { table: job.table, file: fileOf(job.policy) },
      },
    );
  }
}

async function writeSnapshot(
  connection: DuckDBConnection,
  { table, policy, whole, progress }: ImportJob,
  source: readonly string[],
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
  const select = snapshotSelect(policy, quoteRelation(source), duckdb);
  const insert = { sql: `INSERT INTO ${target} ${select}${order}` };
  const result = await runTelling(connection, insert, (share) => progress("writing rows", share));
  const rows = result.rowsChanged;
  const unitNumbers = policy.unit.kind === "column" && (await unitNumbersDiffer(connection, target));
  const lost = await lostValues(connection, policy, quoteRelation(source), target);
  const snapshot = { relation: ["snapshot", "main", table], layout: "snapshot" } as const;
  const kept = await keptRows(whole, table, snapshot, duckdb, async (sql) =>
    (await onlyRow(connection, sql)).map(Number),
  );
  await connection.run("CHECKPOINT snapshot");
  await connection.run("DETACH snapshot");
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows, unitNumbers, lost, kept };
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
