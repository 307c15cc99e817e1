import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removedAtEnd } from "./removed-at-end.ts";
import { fileError } from "./workspace.ts";

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a new folder of one command's own, which goes with the process at the latest. */
export function temporaryFolder(prefix = "lethe-audit-"): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, remove: removedAtEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 })) };
}

/** Returns as cli.file an error by which the system refuses an audit's own files (no room, no folder); any other error as it is. */
export function ofTemporaryFiles(error: unknown): unknown {
  const isSystems = error instanceof Error && "syscall" in error;
  return isSystems ? fileError("write", tmpdir(), "temporary files in", error) : error;
}
