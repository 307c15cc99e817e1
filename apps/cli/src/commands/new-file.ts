import { accessSync, constants, existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { LetheError } from "@lethe/core";
import { fileError } from "../workspace.ts";

/** Refuses, before anything is paid, a target that could not be written afterwards. Errors: cli.file. */
export function refuseTarget(path: string, what: string): void {
  const refuse = (problem: string, fix: string): never => {
    throw new LetheError("cli.file", `cannot write ${what} to ${path || '""'}: ${problem}`, {
      fix: `${fix}; nothing was charged`,
      fields: { path },
    });
  };
  if (path === "") refuse("it is no file name", "name a file");
  if (existsSync(path)) refuse("it exists, and nothing is overwritten", "name another file");
  try {
    // The slash asks for a folder.
    accessSync(`${dirname(path)}/`, constants.W_OK);
  } catch (error) {
    const isThere = !["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    if (isThere) refuse("its folder cannot be written to", "name a file in another folder");
    refuse("its folder does not exist", "make the folder, or name another file");
  }
}

/** Writes what cost nothing into a new file. Errors: cli.file. */
export function writeNewFile(path: string, content: string, what: string): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    throw fileError("write", path, what, error);
  }
}

/** Writes a paid answer into a new file. Errors: cli.file; the answer is durable in the ledger. */
export function writeNew(path: string, content: string | Uint8Array, what: string, requestId: string): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    throw notWritten(path, what, requestId, error);
  }
}

/** The refusal of a paid answer's file, and how to get the answer again. */
export function notWritten(path: string, what: string, requestId: string, error: unknown): LetheError {
  const { code, message, fix, fields } = fileError("write", path, what, error);
  // Asking again under the same id costs nothing.
  return new LetheError(code, message, {
    fix: `${fix}; then ask the same again with --request ${requestId}: it costs nothing`,
    fields,
  });
}
