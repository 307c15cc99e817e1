import { existsSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";
import { fileHash } from "./publish.ts";

/** Hashes the snapshot again. Errors: engine.source when it is missing or is not what import wrote. */
export async function verifySnapshot(manifest: SnapshotManifest, stateDirectory: string): Promise<void> {
  const path = join(snapshotsDirectory(stateDirectory), manifest.file);
  if (existsSync(path) && (await fileHash(path)) === manifest.sha256) return;
  throw new LetheError(
    "engine.source",
    `the snapshot of ${manifest.table} is missing or not as it was written`,
    {
      fix: `lethe import ${manifest.copied === undefined ? manifest.source : `--table ${manifest.table}`}`,
      fields: { table: manifest.table },
    },
  );
}
