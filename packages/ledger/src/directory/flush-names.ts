import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./file-error.ts";

/** Not ours to flush, or a file system that needs none: no reason to refuse for a directory further up. */
const excused: readonly string[] = ["EACCES", "EPERM", "EINVAL", "EROFS"];

/**
 * Makes the names inside a directory durable, then its own name in the directory above, and so on for `levels`
 * directories: a new directory whose own name was never flushed is gone after a power failure, with all that is in it.
 * Windows cannot open a directory and does not need it. Errors: as the file system gives them.
 */
export function flushNames(directory: string, levels: number): void {
  if (process.platform === "win32") return;
  let place = directory;
  for (let level = 0; level < levels; level += 1) {
    try {
      flush(place);
    } catch (error) {
      if (level === 0 || !excused.includes(systemCode(error))) throw error;
    }
    if (dirname(place) === place) return;
    place = dirname(place);
  }
}

/** Makes the bytes of a file durable. Errors: as the file system gives them. */
export function flushFile(path: string): void {
  flush(path, "r+");
}

function flush(path: string, mode: "r" | "r+" = "r"): void {
  const handle = openSync(path, mode);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
