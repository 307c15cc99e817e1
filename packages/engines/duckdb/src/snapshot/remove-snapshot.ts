import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { manifestPath, snapshotFileOf, snapshotsDirectory } from "./manifest.ts";

/**
 * Removes a table's snapshot, so that questions read the table as it lies: first its manifest, which puts it out of force, then its files. Returns whether there was one; one that cannot
 * be read is removed too.
 */
export function removeSnapshot(stateDirectory: string, table: string): boolean {
  const state = resolve(stateDirectory);
  const folder = snapshotsDirectory(state);
  const names = filesOf(folder);
  const manifest = manifestPath(state, table);
  const isThere = names.some((name) => join(folder, name) === manifest);
  rmSync(manifest, { force: true });
  if (isThere) flush(folder);
  for (const name of names) if (snapshotFileOf(table, name)) tryRemove(join(folder, name));
  return isThere;
}

/** An open file lives on for those who hold it; where the system forbids removal, the next import tries again. */
function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Held open by a reader.
  }
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Makes the removal durable before the files go that the manifest names. */
function flush(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
