import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";

/**
 * The description of a snapshot that import wrote, for the owner's eyes alone. `rows` is data, and so is `sha256`: an exact hash
 * of the data would let anyone test a guess of the whole table. Neither may reach a release, a certificate or a ledger that
 * analysts can read; they may know a snapshot only by its random `id`.
 */
export interface SnapshotManifest {
  readonly version: 1;
  /** Random; says nothing about the data. */
  readonly id: string;
  /** The id of the import that froze the rows, where an index was built since: it orders the same rows anew, and has an id of its own. */
  readonly imported?: string;
  readonly table: string;
  /** The owner's file or relation it was made from, as the policy names it. */
  readonly source: string;
  /** What a copy from a database was made of; a snapshot of a file has none. An index that is built later leaves it. */
  readonly copied?: CopiedFrom;
  /** File name inside the snapshots folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The hash of everything in the policy that shaped the values: see ./domain-hash.ts. */
  readonly domainHash: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: number;
  /** Whether units of different names have different numbers, so that questions may tell them apart by those. */
  readonly unitNumbers?: boolean;
  /** The mark of the seed under which an index was built, where one was: see ./places-seed.ts. */
  readonly places?: string;
  /** When the file was written: ISO 8601. */
  readonly created: string;
}

/** The state of a database that a copy was made of. */
export interface CopiedFrom {
  /** All relations that were read, each by one name; null where they could not be told. */
  readonly sources: readonly string[] | null;
  /** The moment of which the rows are, at the earliest: ISO 8601. */
  readonly asOf: string;
}

export function snapshotsDirectory(stateDirectory: string): string {
  return join(stateDirectory, "snapshots");
}

/** Writes a table's name as a file name, injectively and on file systems that ignore case. */
export function fileStem(table: string): string {
  return table.replace(/[^a-z0-9_-]/g, (c) => `%${c.charCodeAt(0).toString(16)}.`);
}

export function manifestPath(stateDirectory: string, table: string): string {
  return join(snapshotsDirectory(stateDirectory), `${fileStem(table)}.json`);
}

/** Whether a file of the snapshots folder is a snapshot of this table, in force or not. */
export function snapshotFileOf(table: string, name: string): boolean {
  const prefix = `${fileStem(table)}-`;
  return name.startsWith(prefix) && /^[0-9a-f-]{36}\.duckdb/.test(name.slice(prefix.length));
}

/** Reads the manifest of a table's snapshot; null where it was never imported. Errors: engine.source when it is not one. */
export function readManifest(stateDirectory: string, table: string): SnapshotManifest | null {
  let text: string;
  try {
    text = readFileSync(manifestPath(stateDirectory, table), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(table);
  }
  const manifest = parse(text);
  if (manifest?.version !== 1 || manifest.table !== table || !/^[^/\\]+\.duckdb$/.test(manifest.file)) {
    throw unusable(table);
  }
  return manifest;
}

/** Whether a table was imported; its manifest may be one that cannot be read. */
export function isImported(stateDirectory: string, table: string): boolean {
  return existsSync(manifestPath(stateDirectory, table));
}

/** Returns the random id of the import that froze a snapshot's rows. */
export function importOf({ id, imported = id }: Pick<SnapshotManifest, "id" | "imported">): string {
  return imported;
}

function parse(text: string): SnapshotManifest | null {
  try {
    return JSON.parse(text) as SnapshotManifest | null;
  } catch {
    return null;
  }
}

function unusable(table: string): LetheError {
  return new LetheError("engine.source", `the snapshot of ${table} has no readable manifest`, {
    fix: `import ${table} again`,
    fields: { table },
  });
}
