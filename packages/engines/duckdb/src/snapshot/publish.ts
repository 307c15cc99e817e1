import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { othersDraft } from "./draft.ts";
import {
  manifestPath,
  readManifest,
  type SnapshotManifest,
  snapshotFileOf,
  snapshotsDirectory,
} from "./manifest.ts";

/**
 * Makes a written draft the table's snapshot: synced, renamed, and only then named by the manifest, which is itself
 * replaced in one step. A crash in between leaves the old snapshot in force. Snapshots before it are removed.
 */
export async function publish(
  draft: string,
  stateDirectory: string,
  facts: Omit<SnapshotManifest, "version" | "bytes" | "sha256">,
): Promise<SnapshotManifest> {
  const folder = snapshotsDirectory(stateDirectory);
  chmodSync(draft, 0o600);
  sync(draft);
  const manifest: SnapshotManifest = {
    version: 1,
    ...facts,
    bytes: statSync(draft).size,
    sha256: await fileHash(draft),
  };
  renameSync(draft, join(folder, facts.file));
  const target = manifestPath(stateDirectory, facts.table);
  const draftManifest = join(dirname(draft), "manifest.json");
  writeFileSync(draftManifest, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  sync(draftManifest);
  const previous = currentFile(stateDirectory, facts.table);
  renameSync(draftManifest, target);
  sync(folder);
  removeOlder(stateDirectory, facts.table, previous, dirname(draft));
  return manifest;
}

/** Returns the sha256 of a file, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Returns the file that the manifest names; undefined where the manifest cannot be read. */
function currentFile(stateDirectory: string, table: string): string | undefined {
  try {
    return readManifest(stateDirectory, table)?.file;
  } catch {
    // An unreadable manifest does not stop a new one.
    return undefined;
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

/**
 * Removes the snapshot that the manifest named before, and files of imports that were killed between the two names; while others
 * write drafts, only those that were left a day ago. Files are listed before drafts are: one that is published in between has a
 * draft yet, or is the one that the manifest names.
 */
function removeOlder(
  stateDirectory: string,
  table: string,
  previous: string | undefined,
  draft: string,
): void {
  const folder = snapshotsDirectory(stateDirectory);
  const names = readdirSync(folder);
  const isAlone = !othersDraft(stateDirectory, draft);
  const current = currentFile(stateDirectory, table);
  if (current === undefined) return;
  const yesterday = statSync(draft).mtimeMs - 86_400_000;
  for (const name of names) {
    const path = join(folder, name);
    if (!snapshotFileOf(table, name) || name === current) continue;
    tryRemove(path, () => isAlone || name === previous || statSync(path).mtimeMs < yesterday);
  }
}

/** An open file lives on for those who hold it; where the system forbids removal, a later import tries again. */
function tryRemove(path: string, isOld: () => boolean): void {
  try {
    if (isOld()) rmSync(path, { force: true });
  } catch {
    // Held open by a reader, or removed by another import.
  }
}
