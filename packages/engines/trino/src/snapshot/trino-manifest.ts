import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { type Policy, snapshotColumns, snapshotSelect, type TablePolicy, trino } from "@lethe/query";
import type { TrinoRelation } from "../relation-name.ts";

/** The description of a snapshot that an import wrote in Trino, for the owner's eyes alone. It holds nothing of the data. */
export interface TrinoManifest {
  readonly version: 1;
  /** Random; says nothing about the data. */
  readonly id: string;
  readonly table: string;
  /** Where the snapshot lies, and the one before it, which questions in flight may still read. */
  readonly relation: TrinoRelation;
  readonly previous: TrinoRelation | null;
  /** Iceberg's own number of the state that was written, in digits. */
  readonly state: string;
  /** The hash of everything in the policy that shaped the values, and of the SQL that wrote them. */
  readonly domainHash: string;
  /** The relations that were read; null where they cannot be told. */
  readonly sources: readonly string[] | null;
  /** Whether units of different names have different numbers. */
  readonly unitNumbers: boolean;
  /** The mark of the seed under which rows have their places; null where rows do not name units. */
  readonly places: string | null;
  /** When it was begun: ISO 8601. */
  readonly asOf: string;
}

/** sha256 of all that decides what a snapshot's cells mean. A snapshot under another hash must not be asked: its integers stand for other values. */
export function domainHash(table: TablePolicy): string {
  const { relation, unit, key, columns } = table;
  const conversion = {
    columns: snapshotColumns(table, trino),
    select: snapshotSelect(table, "source", trino),
  };
  return createHash("sha256")
    .update(canonicalJson({ relation, unit, key, columns, conversion }))
    .digest("hex");
}

/** The mark of a seed: another one orders rows in another way. It tells nothing of a random secret. */
export function placesSeed(seed: string): string {
  return createHash("sha256").update(`places of rows, version 1|${seed}`).digest("hex");
}

/** Reads the manifest of a table; null where it was never imported. Errors: engine.source when it is not one. */
export function readTrinoManifest(stateDirectory: string, table: string): TrinoManifest | null {
  const path = pathOf(stateDirectory, table);
  if (!existsSync(path)) return null;
  const manifest = parse(readFileSync(path, "utf8"));
  if (manifest?.version === 1 && manifest.table === table && manifest.relation.length === 3) return manifest;
  throw new LetheError("engine.source", `the snapshot of ${table} has no readable manifest`, {
    fix: `import ${table} again`,
    fields: { table },
  });
}

/** Returns what tells the manifests that are in force from those before: each import and each removal makes another. It reads none of them, so that it may be asked at every question. */
export function manifestsMark({ tables }: Policy, stateDirectory: string): string {
  const marks = Object.keys(tables).map((table) => {
    const stats = statSync(pathOf(stateDirectory, table), { bigint: true, throwIfNoEntry: false });
    return stats ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ") : "none";
  });
  return marks.join(", ");
}

/** Puts a manifest in force in one step, durable before it returns. */
export function writeTrinoManifest(stateDirectory: string, manifest: TrinoManifest): void {
  mkdirSync(folderOf(stateDirectory), { recursive: true, mode: 0o700 });
  const path = pathOf(stateDirectory, manifest.table);
  writeFileSync(`${path}.draft`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  sync(`${path}.draft`);
  renameSync(`${path}.draft`, path);
  sync(folderOf(stateDirectory));
}

/** Takes a table's manifest out of force: questions read the table as it lies. */
export function removeTrinoManifest(stateDirectory: string, table: string): void {
  rmSync(pathOf(stateDirectory, table), { force: true });
}

const folderOf = (stateDirectory: string): string => join(stateDirectory, "trino");

/** A table's name as a file name, injectively and on file systems that ignore case. */
function pathOf(stateDirectory: string, table: string): string {
  const stem = table.replace(/[^a-z0-9_-]/g, (c) => `%${c.charCodeAt(0).toString(16)}.`);
  return join(folderOf(stateDirectory), `${stem}.json`);
}

function parse(text: string): TrinoManifest | null {
  try {
    return JSON.parse(text) as TrinoManifest | null;
  } catch {
    return null;
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
