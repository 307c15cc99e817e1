import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import type { TablePolicy, TableStorage } from "@lethe/query";
import type { Attachments } from "./attach.ts";
import { domainHash } from "./snapshot/domain-hash.ts";
import { importOf, readManifest, type SnapshotManifest, snapshotsDirectory } from "./snapshot/manifest.ts";
import { placesSeed } from "./snapshot/places-seed.ts";
import { sourceKind, sourcePath } from "./source-file.ts";

/** A table's storage, and the files that must stay readable for it. */
export interface ResolvedSource {
  readonly storage: TableStorage;
  readonly files: readonly string[];
  /** The description of the snapshot; null of a table that is read as it lies. */
  readonly manifest: SnapshotManifest | null;
}

/**
 * Finds where a table is to be read: its snapshot if it was imported, else the owner's Parquet or DuckDB file.
 * Errors: engine.source, engine.not-imported, policy.changed.
 */
export async function resolveSource(
  table: string,
  policy: TablePolicy,
  directories: { readonly base: string; readonly state: string },
  seed: string,
  attachments: Attachments,
): Promise<ResolvedSource> {
  const kind = policy.file === null ? "database" : sourceKind(table, policy);
  // An import may replace the snapshot between the reading of its manifest and the opening of its file: look again once.
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(directories.state, table);
    if (!manifest) break;
    checkManifest(manifest, table, policy);
    const path = join(snapshotsDirectory(directories.state), manifest.file);
    if (!existsSync(path) && attempt === 0) continue;
    return snapshotSource(manifest, table, policy, path, seed, attachments);
  }
  if (kind === "csv" || kind === "database") throw notImported(table, policy);
  const path = sourcePath(table, policy, directories.base);
  const { relation, files } =
    kind === "parquet"
      ? await attachments.parquet(table, path)
      : await attachments.database(table, path, policy.relation ?? table);
  return { storage: { relation, layout: "raw" }, files, manifest: null };
}

async function snapshotSource(
  manifest: SnapshotManifest,
  table: string,
  policy: TablePolicy,
  path: string,
  seed: string,
  attachments: Attachments,
): Promise<ResolvedSource> {
  if (!existsSync(path) || statSync(path).size !== manifest.bytes) {
    throw new LetheError("engine.source", `the snapshot of ${table} is missing or not as it was written`, {
      fix: importCommand(table, policy),
      fields: { table },
    });
  }
  const { relation, files } = await attachments.database(table, path, table);
  const hasPlaces = manifest.places === placesSeed(seed);
  const hasUnitNumbers = manifest.unitNumbers === true;
  const imported = importOf(manifest);
  return { storage: { relation, layout: "snapshot", hasPlaces, hasUnitNumbers, imported }, files, manifest };
}

function checkManifest(manifest: SnapshotManifest, table: string, policy: TablePolicy): void {
  if (manifest.domainHash === domainHash(policy)) return;
  throw new LetheError("policy.changed", `the policy of ${table} changed since it was imported`, {
    fix: importCommand(table, policy),
    fields: { table },
  });
}

function notImported(table: string, policy: TablePolicy): LetheError {
  const { file } = policy;
  const problem =
    file === null
      ? `${table} was not imported, though other tables were, and no question reads both copies and the database`
      : `${table} is a CSV file that was not imported`;
  return new LetheError("engine.not-imported", problem, {
    fix: importCommand(table, policy),
    fields: file === null ? { table } : { table, file },
  });
}

/** Returns the command that imports a table. */
function importCommand(table: string, { file }: TablePolicy): string {
  return file === null
    ? `lethe import --table ${table}, or lethe import --remove to ask the database itself`
    : `lethe import ${file}`;
}
