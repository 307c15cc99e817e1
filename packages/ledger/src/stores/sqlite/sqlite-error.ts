import { type ErrorCode, LetheError } from "@lethe/core";

interface Meaning {
  readonly code: ErrorCode;
  readonly what: string;
  readonly fix: string;
}

/** Primary result codes, https://sqlite.org/rescode.html. */
const meanings: Readonly<Record<number, Meaning>> = {
  5: {
    code: "ledger.busy",
    what: "is locked by another process",
    fix: "wait until the other process is done and ask again with the same request id",
  },
  8: { code: "ledger.unreadable", what: "may not be written", fix: "give yourself write permission on it" },
  13: {
    code: "ledger.unreadable",
    what: "does not fit on the disk",
    fix: "free disk space and ask again with the same request id",
  },
  14: {
    code: "ledger.unreadable",
    what: "cannot be opened",
    fix: "check the permissions of the file and of its directory",
  },
  26: {
    code: "ledger.unreadable",
    what: "is not a ledger",
    fix: "point to the right directory, or restore the file from a backup",
  },
};

/** Pages, constraints, types and statements that do not hold: somebody or something changed the file. */
const damage: ReadonlySet<number> = new Set([1, 4, 11, 19, 20]);

/** A file that ends before a page that it should hold; SQLite calls it an error of the disk. */
const shortRead = 522;

const damaged: Meaning = {
  code: "ledger.corrupt",
  what: "is damaged",
  fix: "run lethe ledger verify, then restore the file from a backup; keep the damaged one",
};
const failed: Meaning = {
  code: "ledger.unreadable",
  what: "cannot be read or written",
  fix: "check the disk and the permissions, then ask again with the same request id",
};

/** The driver gives no result code with an error of `prepare`, only SQLite's own words for it. */
const words: Readonly<Record<string, number>> = {
  "database is locked": 5,
  "attempt to write a readonly database": 8,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "file is not a database": 26,
};

/** SQLite's result code; 0 for another complaint of the driver, null for an error that is none of the driver's. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  const byWords = words[error.message];
  if (byWords !== undefined) return byWords;
  return "code" in error && String(error.code).startsWith("ERR_") ? 0 : null;
}

/** An error of the database as a coded one that names the file. Any other is a fault of ours and passes unchanged. */
export function sqliteError(path: string, error: unknown): unknown {
  const result = resultCode(error);
  if (error instanceof LetheError || result === null) return error;
  if (error instanceof Error && error.message.includes("the ledger was moved")) return movedAway(path, null);
  const primary = result & 0xff;
  const meaning = damage.has(primary) || result === shortRead ? damaged : (meanings[primary] ?? failed);
  return new LetheError(meaning.code, `the ledger ${path} ${meaning.what}`, {
    fix: meaning.fix,
    fields: { path, sqlite: result },
  });
}

/** The ledger of a file that is sealed is elsewhere. */
export function movedAway(path: string, target: string | null): LetheError {
  return new LetheError("ledger.moved", `the ledger ${path} was moved${target ? ` to ${target}` : ""}`, {
    fix: "use it where it is now; where the move was cut off, ask for it again: lethe ledger move",
    fields: { path, ...(target ? { target } : {}) },
  });
}
