import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EngineLimits } from "../limits.ts";
import { hasOwnedFolders, type OwnedFolder, ownedFolder, sweepFolders } from "../owned-folder.ts";
import { snapshotsDirectory } from "./manifest.ts";

const kind = "draft";

/** A folder for a snapshot that is being written, beside those that are: it holds a copy of the data until it is published. */
export function draftFolder(stateDirectory: string, { removedAtEnd }: EngineLimits): OwnedFolder {
  const folder = snapshotsDirectory(stateDirectory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return ownedFolder(folder, kind, removedAtEnd);
}

/** The draft's file in its folder. */
export function draftFile(folder: OwnedFolder): string {
  return join(folder.path, "snapshot.duckdb");
}

/** Removes the drafts of imports that were killed. */
export function sweepDrafts(stateDirectory: string): void {
  sweepFolders(snapshotsDirectory(stateDirectory), kind);
}

/** Whether any but this one may be about to publish. */
export function othersDraft(stateDirectory: string, folder: string): boolean {
  return hasOwnedFolders(snapshotsDirectory(stateDirectory), kind, folder);
}
