import { LetheError } from "@lethe/core";

/** SQLite's primary result codes whose remedy is known, https://sqlite.org/rescode.html. */
const meanings: Readonly<Record<number, { readonly what: string; readonly fix: string }>> = {
  5: { what: "is locked by another process", fix: "end the other service on this folder" },
  8: { what: "may not be written", fix: "give the service write permission on it and on its folder" },
  13: { what: "does not fit on the disk", fix: "free disk space" },
  14: { what: "cannot be opened", fix: "check that it is there, and the permissions of its folder" },
  26: {
    what: "is not a file of people",
    fix: "point `data` of the configuration to the right folder, or restore the file",
  },
};

/** The refusal of a file that is not as it should be. */
export function unreadable(path: string, what: string, fix: string): LetheError {
  return new LetheError("people.unreadable", `the file ${path} ${what}`, { fix, fields: { path } });
}

/** An error of the database as a coded one that names the file. A coded one passes unchanged, and so does a fault of ours. */
export function fileError(path: string, error: unknown): unknown {
  if (error instanceof LetheError || !(error instanceof Error)) return error;
  const isDrivers = ("errcode" in error && typeof error.errcode === "number") || "code" in error;
  if (!isDrivers) return error;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
  const { what, fix } = meanings[code] ?? {
    what: "is damaged, or cannot be read or written",
    fix: "check the disk, then restore the file from a backup; keep the damaged one",
  };
  return unreadable(path, what, fix);
}
