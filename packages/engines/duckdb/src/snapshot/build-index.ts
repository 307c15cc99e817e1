import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import { duckdb, type Policy, placeColumn, placedSelect, type TablePolicy, unitColumn } from "@lethe/query";
import { inInstance } from "../instance.ts";
import { defaultLimits, type EngineLimits } from "../limits.ts";
import { quoteIdentifier, quoteRelation, quoteText } from "../quote.ts";
import { checkIndexable, snapshotToIndex } from "./check-indexable.ts";
import { draftFile, draftFolder } from "./draft.ts";
import { fileStem, importOf, readManifest, type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";
import { placesSeed } from "./places-seed.ts";
import { type Progress, runTelling } from "./progress.ts";
import { publish } from "./publish.ts";

export interface IndexOptions {
  readonly policy: Policy;
  readonly table: string;
  /** The folder where the table's snapshot lies. */
  readonly stateDirectory: string;
  /** The secret by which the rows of a unit are ordered; an engine with another one does not use the index. */
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
  readonly limits?: Partial<EngineLimits>;
  /** Hears how far the index is. */
  readonly progress?: Progress;
}

/**
 * Writes beside each row of a table's snapshot its place among its unit's rows, in the order of their keyed hash: the rows
 * that `limit: rows-before-filter` keeps are then those of the first places, the same rows as without. The snapshot is
 * replaced whole or not at all; importing the table again leaves it without an index.
 * Errors: query.unknown-table, parameter.invalid (a table that does not name its units), engine.not-imported,
 * policy.changed, engine.source.
 * @example await buildIndex({ policy, table: "visits", stateDirectory: ".lethe", seed, clock, log })
 */
export async function buildIndex(options: IndexOptions): Promise<SnapshotManifest> {
  const { policy, table, seed, log, progress = () => undefined } = options;
  const tablePolicy = checkIndexable(policy, table);
  const state = resolve(options.stateDirectory);
  const before = snapshotToIndex(state, table, tablePolicy);
  const folder = snapshotsDirectory(state);
  const id = randomUUID();
  const file = `${fileStem(table)}-${id}.duckdb`;
  const limits = { ...defaultLimits(state), ...options.limits };
  const drafts = draftFolder(state, limits);
  const draft = draftFile(drafts);
  try {
    const job = { table, policy: tablePolicy, from: join(folder, before.file), to: draft, seed, progress };
    await inInstance(limits, (connection) => writePlaces(connection, job));
    if (readManifest(state, table)?.id !== before.id) throw failed(table, "was imported meanwhile");
    const { version: _, bytes: __, sha256: ___, ...facts } = before;
    const created = new Date(options.clock()).toISOString();
    const places = placesSeed(seed);
    return await publish(draft, state, { ...facts, id, imported: importOf(before), file, created, places });
  } catch (error) {
    if (error instanceof LetheError) throw error;
    log(`${table}: ${error instanceof Error ? error.message : String(error)}`);
    throw failed(table, "could not be indexed; details are in the owner's log");
  } finally {
    drafts.remove();
  }
}

interface PlacesJob {
  readonly table: string;
  readonly policy: TablePolicy;
  /** The snapshot, and the file to be written. */
  readonly from: string;
  readonly to: string;
  readonly seed: string;
  readonly progress: Progress;
}

async function writePlaces(connection: DuckDBConnection, job: PlacesJob): Promise<void> {
  const { table, policy, from, to, seed, progress } = job;
  await connection.run(`ATTACH ${quoteText(from)} AS before (READ_ONLY)`);
  await connection.run(`ATTACH ${quoteText(to)} AS snapshot`);
  const source = quoteRelation(["before", "main", table]);
  const target = quoteRelation(["snapshot", "main", table]);
  const place = quoteIdentifier(placeColumn);
  await connection.run(`CREATE TABLE ${target} AS FROM ${source} LIMIT 0`);
  const columns = (await connection.run(`SELECT * FROM ${target}`)).columnNames();
  if (columns.includes(placeColumn)) await connection.run(`ALTER TABLE ${target} DROP COLUMN ${place}`);
  await connection.run(`ALTER TABLE ${target} ADD COLUMN ${place} INTEGER`);
  const kept = columns.filter((name) => name !== placeColumn).map(quoteIdentifier);
  const plain = `(SELECT ${kept.join(", ")} FROM ${source})`;
  // The rows that the policy lets a unit have lie together, so that the others are passed over unread.
  const { maxGroups, maxRowsPerGroup } = policy.contribution;
  const [few, most] = [maxRowsPerGroup, maxGroups * maxRowsPerGroup];
  const level = `CASE WHEN ${place} <= ${few} THEN 0 WHEN ${place} <= ${most} THEN 1 ELSE 2 END`;
  const order = `${level}, ${quoteIdentifier(unitColumn)}`;
  const sql = `INSERT INTO ${target} ${placedSelect(policy, plain, duckdb)} ORDER BY ${order}`;
  await runTelling(connection, { sql, values: [seed] }, (share) =>
    progress(`ordering the rows of ${table}`, share),
  );
  await connection.run("CHECKPOINT snapshot");
  await connection.run("DETACH snapshot");
}

function failed(table: string, problem: string): LetheError {
  return new LetheError("engine.source", `${table} ${problem}`, {
    fix: `lethe index build --table ${table}`,
    fields: { table },
  });
}
