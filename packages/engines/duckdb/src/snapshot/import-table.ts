import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import { doubleRoles, duckdb, type Policy, snapshotSelect } from "@lethe/query";
import { Attachments } from "../attach.ts";
import { checkSchema } from "../check-schema.ts";
import { inInstance } from "../instance.ts";
import { defaultLimits, type EngineLimits } from "../limits.ts";
import { quoteRelation } from "../quote.ts";
import { fileOf, sourceKind, sourcePath } from "../source-file.ts";
import { sourcesRead } from "../sources-read.ts";
import { checkCsv } from "./check-csv.ts";
import { csvScan } from "./csv-scan.ts";
import { freezeInto, type ImportReport, tableToFreeze } from "./freeze-into.ts";
import { presentValues } from "./lost-values.ts";
import type { Progress } from "./progress.ts";
import { type SnapshotJob, type Written, writeSnapshot } from "./write-snapshot.ts";

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

/**
 * Freezes a table's file into a typed, clamped, fixed-point snapshot under the policy: what questions read from then
 * on. A CSV is read as text alone, and must be well-formed: see ./check-csv.ts. Rows of one unit are stored together. The snapshot appears whole or not at all, and
 * replaces the one before. Errors: policy.roles, engine.source, engine.schema, query.unknown-table; they may name a column, never a value.
 * @example await importTable({ policy, table: "people", baseDirectory: ".", stateDirectory: ".lethe", clock, log })
 */
export async function importTable(options: ImportOptions): Promise<ImportReport> {
  const { policy, table, log } = options;
  const tablePolicy = tableToFreeze(policy, table);
  const state = resolve(options.stateDirectory);
  const kind = sourceKind(table, tablePolicy);
  const path = sourcePath(table, tablePolicy, options.baseDirectory);
  const { progress = () => undefined } = options;
  const job = { table, policy: tablePolicy, whole: policy, path, log, progress };
  const limits = { ...defaultLimits(state), ...options.limits };
  const read = await sourcesRead(policy, options.baseDirectory, limits, log);
  const clash = doubleRoles(policy, read).find(({ tables }) => tables.includes(table));
  if (clash) throw clash.error;
  return freezeInto({ ...options, policy: tablePolicy, source: fileOf(tablePolicy) }, limits, (draft) =>
    kind === "csv" ? writeFromCsv(job, draft, limits) : writeFromDatabase(job, kind, draft, limits),
  );
}

interface ImportJob extends SnapshotJob {
  readonly path: string;
  readonly log: (detail: string) => void;
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
      const written = await writeFrom(connection, job, ["memory", "main", "source"], draft);
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
      return writeFrom(connection, job, relation, draft);
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

/** Cleans the rows of a relation into the draft. */
function writeFrom(
  connection: DuckDBConnection,
  job: ImportJob,
  relation: readonly string[],
  draft: string,
): Promise<Written> {
  const source = quoteRelation(relation);
  const select = snapshotSelect(job.policy, source, duckdb);
  return writeSnapshot(connection, job, { select, present: presentValues(connection, source) }, draft);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
