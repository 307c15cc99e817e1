import { LetheError } from "@lethe/core";

const meanings: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read or written",
  EPERM: "may not be read or written",
  EROFS: "lies on a read-only file system",
  ENOSPC: "does not fit on the disk",
  EDQUOT: "does not fit into the quota",
  ENOTDIR: "is not inside a directory",
  EISDIR: "is a directory",
};

export function systemCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** An error of the file system as ledger.unreadable that names the file; one of Lethe's own passes unchanged. */
export function fileError(path: string, error: unknown): LetheError {
  if (error instanceof LetheError) return error;
  const code = systemCode(error);
  return new LetheError("ledger.unreadable", `${path} ${meanings[code] ?? "cannot be read or written"}`, {
    fix: "check the path, its permissions and the space on the disk",
    fields: { path, system: code },
  });
}
