import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { fileError } from "./workspace.ts";

/** Makes the secret that chooses which groups of a unit are kept. Never overwrites one. */
export function createSeed(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw fileError("write", path, "the secret seed", error);
  }
}

/**
 * The seed as engines are told it: derived, by HMAC-SHA256, from the secret that is kept, for this one purpose. A database may write
 * it into its logs as a statement's parameter; who reads it there learns which rows and groups of a unit count, on which no promise
 * rests, and never the secret itself.
 */
export function readSeed(path: string): string {
  return createHmac("sha256", secretOf(path))
    .update("lethe: which rows and groups of a unit count, version 1")
    .digest("hex");
}

function secretOf(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const problem = fileError("read", path, "the secret seed", error);
    throw new LetheError(problem.code, problem.message, {
      fix: "restore .lethe/seed from your backup; if it is lost, lethe init makes a new one and keeps the ledger",
      fields: problem.fields,
    });
  }
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new LetheError("ledger.unreadable", "the secret seed beside the ledger is damaged", {
    fix: "restore .lethe/seed from your backup",
  });
}
