import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "../workspace.ts";
import { removedAtEnd } from "./removed-at-end.ts";

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A new folder of an audit's own, which goes with the process at the latest. Errors: cli.file, where none can be made. */
export function temporaryFolder(): TemporaryFolder {
  const parent = tmpdir();
  try {
    const path = mkdtempSync(join(parent, "lethe-audit-"));
    return { path, remove: removedAtEnd(() => rmSync(path, { recursive: true, force: true })) };
  } catch (error) {
    throw fileError("write", parent, "temporary files in", error);
  }
}
