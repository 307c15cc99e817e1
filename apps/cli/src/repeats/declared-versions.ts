import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { fileError, type Workspace } from "../workspace.ts";

/** The random id of the data that each table was last declared to hold, by table. It says nothing about the data. */
export type DeclaredVersions = Readonly<Record<string, string>>;

function fileOf({ state }: Workspace): string {
  return join(state, "data-versions.json");
}

/** Reads what `lethe data changed` declared; nothing where it never did. Errors: cli.file where it cannot be read. */
export function declaredVersions(workspace: Workspace): DeclaredVersions {
  const path = fileOf(workspace);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw fileError("read", path, "the versions of the data", error);
  }
  const tables = tablesOf(text);
  if (tables !== null) return tables;
  throw new LetheError("cli.file", `${path} does not hold the versions of the data that were declared`, {
    fix: "lethe data changed writes it anew: each question is then paid for once more",
    fields: { path },
  });
}

/** Returns what reads the same again and again: the file is read where it is another one than before, since a declaration replaces it. Errors: cli.file. */
export function watchDeclared(workspace: Workspace): () => DeclaredVersions {
  let before: { readonly mark: string; readonly versions: DeclaredVersions } | null = null;
  return () => {
    const mark = markOf(fileOf(workspace));
    if (before === null || before.mark !== mark) before = { mark, versions: declaredVersions(workspace) };
    return before.versions;
  };
}

/** What tells a file from the one that replaced it. */
function markOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ") : "none";
}

function tablesOf(text: string): DeclaredVersions | null {
  try {
    const { version, tables } = JSON.parse(text);
    const isWhole = version === 1 && typeof tables === "object" && tables !== null && !Array.isArray(tables);
    return isWhole && Object.values(tables).every((id) => typeof id === "string") ? tables : null;
  } catch {
    return null;
  }
}

/**
 * Declares that the data of tables changed: gives them one new random id. Those that are not named keep theirs, where it can be read. The file is replaced in one step. Errors:
 * cli.file.
 */
export function declareChanged(workspace: Workspace, tables: readonly string[]): string {
  const id = randomUUID();
  const declared = { ...readable(workspace), ...Object.fromEntries(tables.map((table) => [table, id])) };
  const path = fileOf(workspace);
  const draft = `${path}.${id}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ version: 1, tables: declared }, null, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    renameSync(draft, path);
    flushFolder(workspace.state);
  } catch (error) {
    rmSync(draft, { force: true });
    throw fileError("write", path, "the versions of the data", error);
  }
  return id;
}

function readable(workspace: Workspace): DeclaredVersions {
  try {
    return declaredVersions(workspace);
  } catch (error) {
    if (error instanceof LetheError && error.fields.reason === undefined) return {};
    throw error;
  }
}

/** Makes the new name durable: a file that comes back from before a crash would let an older answer stand for the changed data. */
function flushFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
