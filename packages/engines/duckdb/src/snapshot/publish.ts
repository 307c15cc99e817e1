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
import { join } from "node:path";
import {
  fileStem,
  manifestPath,
  readManifest,
  type SnapshotManifest,
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
  const draftManifest = `${target}.${facts.id}.draft`;
  writeFileSync(draftManifest, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  sync(draftManifest);
  const previous = previousFile(stateDirectory, facts.table);
  renameSync(draftManifest, target);
  sync(folder);
  removeOlder(folder, facts.table, facts.file, previous);
  return manifest;
}

/** sha256 of a file, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function previousFile(stateDirectory: string, table: string): string | undefined {
  try {
    return readManifest(stateDirectory, table)?.file;
  } catch {
    // An unreadable manifest is no reason against a new one.
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

/** Removes the snapshot that the manifest named before, and, once a day has passed, what crashed imports left. */
function removeOlder(folder: string, table: string, current: string, previous: string | undefined): void {
  const prefix = `${fileStem(table)}-`;
  const yesterday = statSync(join(folder, current)).mtimeMs - 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isSnapshot = name.startsWith(prefix) && /^[0-9a-f-]{36}\.duckdb/.test(name.slice(prefix.length));
    if (!isSnapshot || name === current) continue;
    tryRemove(path, () => name === previous || statSync(path).mtimeMs < yesterday);
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
