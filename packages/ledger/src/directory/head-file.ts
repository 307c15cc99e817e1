import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LetheError } from "@lethe/core";
import type { LedgerHead } from "../ledger.ts";
import { fileError, systemCode } from "./file-error.ts";
import { flushNames } from "./flush-names.ts";

/** The head that a file keeps, `SEQUENCE:HASH`; null where there is no file. Errors: ledger.unreadable. */
export function readHead(path: string): LedgerHead | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw fileError(path, error);
  }
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})\n?$/.exec(text) ?? [];
  if (sequence !== undefined && hash !== undefined) return { sequence: Number(sequence), hash };
  throw new LetheError("ledger.unreadable", `${path} keeps no head of a ledger`, {
    fix: "write the last head that you know of into it, SEQUENCE:HASH, as lethe budget prints it",
    fields: { path },
  });
}

/** Returns the head as readHead does. A missing file is an error too: a head that is asked for and not there would protect nothing. */
export function requireHeadFile(path: string): LedgerHead {
  const head = readHead(path);
  if (head) return head;
  throw new LetheError("ledger.unreadable", `there is no head of the ledger in ${path}`, {
    fix: `mount the disk that it is kept on; where no head was ever kept, write it: lethe ledger verify --head-file ${path}`,
    fields: { path },
  });
}

/** Replaces the file as a whole, durably. The caller holds the ledger's lock: nobody else writes. */
export function writeHead(path: string, { sequence, hash }: LedgerHead): void {
  const next = `${path}.new`;
  try {
    const file = openSync(next, "w", 0o600);
    try {
      writeSync(file, `${sequence}:${hash}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
    flushNames(dirname(path), 1);
  } catch (error) {
    throw fileError(path, error);
  }
}
