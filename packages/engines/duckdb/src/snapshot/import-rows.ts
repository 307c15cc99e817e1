import { dirname, join, resolve } from "node:path";
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import {
  type CellText,
  cleanedColumns,
  duckdb,
  frozenSelect,
  type Policy,
  type RowsToFreeze,
} from "@lethe/query";
import { inInstance } from "../instance.ts";
import { defaultLimits, type EngineLimits } from "../limits.ts";
import { quoteIdentifier, quoteRelation, quoteText } from "../quote.ts";
import { freezeInto, type ImportReport, tableToFreeze } from "./freeze-into.ts";
import type { Progress } from "./progress.ts";
import { type SnapshotJob, type Written, writeSnapshot } from "./write-snapshot.ts";

export interface ImportRowsOptions {
  readonly policy: Policy;
  readonly table: string;
  /** What the table is called in its database. */
  readonly source: string;
  /** The moment of which the rows are, at the earliest: milliseconds since 1970. */
  readonly asOf: number;
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
 * Freezes rows that another engine has cleaned into a snapshot: the same values, and the same names of units, as a question would find there, so that the same rows count.
 * The snapshot appears whole or not at all, and replaces the one before. Errors: query.unknown-table, engine.source.
 * @example await engine.freeze(["visits"], (table, rows) => importRows({ policy, table, source: "clinic.visits", stateDirectory, clock, log }, rows))
 */
export async function importRows(options: ImportRowsOptions, rows: RowsToFreeze): Promise<ImportReport> {
  const { policy, table, source, asOf, log, progress = () => undefined } = options;
  const tablePolicy = tableToFreeze(policy, table);
  const limits = { ...defaultLimits(resolve(options.stateDirectory)), ...options.limits };
  const job = { table, policy: tablePolicy, whole: policy, progress };
  try {
    const copied = { sources: rows.sources, asOf: new Date(asOf).toISOString() };
    return await freezeInto({ ...options, policy: tablePolicy, copied }, limits, (draft) =>
      inInstance(limits, (connection) => writeRows(connection, job, rows, draft)),
    );
  } catch (error) {
    if (error instanceof LetheError) throw error;
    log(`${table}: ${error instanceof Error ? error.message : String(error)}`);
    throw new LetheError("engine.source", `${source} could not be imported; details are in the owner's log`, {
      fix: "read the log; lack of memory or disk is helped by more of it",
      fields: { table, relation: source },
    });
  }
}

async function writeRows(
  connection: DuckDBConnection,
  job: SnapshotJob,
  rows: RowsToFreeze,
  draft: string,
): Promise<Written> {
  const { table, policy, progress } = job;
  // On disk, beside the draft and removed with it: there may be more rows than memory holds.
  await connection.run(`ATTACH ${quoteText(join(dirname(draft), "staging.duckdb"))} AS staging`);
  const staged = quoteRelation(["staging", "main", table]);
  const columns = cleanedColumns(policy, duckdb);
  const declared = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await connection.run(`CREATE TABLE ${staged} (${declared.join(", ")})`);
  const appender = await connection.createAppender(table, "main", "staging");
  const appends = columns.map(({ type }) => appendOf(type));
  const step = `reading ${table}`;
  let read = 0;
  await rows.read((cells) => {
    if (cells.length !== appends.length)
      throw new Error(`expected ${appends.length} cells, got ${cells.length}`);
    appends.forEach((append, at) => {
      const cell = cells[at] ?? null;
      if (cell === null) appender.appendNull();
      else append(appender, cell);
    });
    appender.endRow();
    read += 1;
    if (read % rowsOfStep === 0) progress(step, Math.min(1, read / rows.rows));
  });
  appender.closeSync();
  if (read !== rows.rows) throw new Error(`${rows.rows} rows were read as ${read}`);
  progress(step, 1);
  const select = frozenSelect(policy, staged, duckdb);
  const present = async (names: readonly string[]): Promise<readonly number[]> =>
    names.map((name) => rows.present[name] ?? Number.NaN);
  return writeSnapshot(connection, job, { select, present }, draft);
}

/** The number of rows after which progress is told. */
const rowsOfStep = 20_000;

type Append = (appender: DuckDBAppender, cell: Exclude<CellText, null>) => void;

const appends: Readonly<Record<string, Append>> = {
  INTEGER: (appender, cell) => appender.appendInteger(Number(BigInt(cell))),
  BIGINT: (appender, cell) => appender.appendBigInt(BigInt(cell)),
  DOUBLE: (appender, cell) => appender.appendDouble(finite(cell)),
  VARCHAR: (appender, cell) => appender.appendVarchar(cell),
  BOOLEAN: (appender, cell) => appender.appendBoolean(truth(cell)),
};

function appendOf(type: string): Append {
  const append = Object.hasOwn(appends, type) ? appends[type] : undefined;
  if (append) return append;
  throw new Error(`cells of type ${type} cannot be frozen`);
}

function finite(cell: string): number {
  const number = Number(cell);
  if (cell !== "" && Number.isFinite(number)) return number;
  throw new Error("a cell is no finite double");
}

function truth(cell: string): boolean {
  if (cell === "t" || cell === "f") return cell === "t";
  throw new Error("a cell is neither true nor false");
}
