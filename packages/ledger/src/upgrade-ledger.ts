import { corrupt } from "./records/corrupt.ts";
import { FirstPart } from "./records/first-format/first-part.ts";
import { upgraded } from "./records/first-format/upgraded.ts";
import { readFirstRecord, sealAfter } from "./records/record.ts";
import { replay } from "./records/replay.ts";
import { requireTime } from "./request-limits.ts";
import { existingLayout } from "./stores/open-store.ts";
import { upgradeFile } from "./stores/sqlite/upgrade-file.ts";
import type { Append, Contents } from "./stores/store.ts";
import { emptyRoot } from "./tree/hash-tree.ts";
import { type LedgerVerification, verifyLedger } from "./verify-ledger.ts";

export interface UpgradeLedgerOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The file that keeps the ledger's head, where there is one: compared before, and written after. */
  readonly headFile?: string | undefined;
}

export interface LedgerUpgrade {
  /** The file as it was, or null where the ledger is of today's format already. */
  readonly kept: string | null;
  readonly verified: LedgerVerification;
}

/**
 * Upgrades a ledger of the first format: verifies it, keeps its file, and goes on in the same chain with one more record, all at once or not at all;
 * then verifies the whole again. What was spent stays spent, an analyst's δ too. Errors: those of verifyLedger; ledger.busy.
 * @example await upgradeLedger(".lethe/ledger", { clock: Date.now });
 */
export async function upgradeLedger(
  directory: string,
  { clock, headFile }: UpgradeLedgerOptions,
): Promise<LedgerUpgrade> {
  const at = requireTime(clock);
  const before = await verifyLedger(directory, { headFile });
  if (!before.isFirst) return { kept: null, verified: before };
  const { database } = existingLayout(directory);
  const kept = database.replace(/\.db$/, "-first-format.db");
  await upgradeFile(database, kept, (contents) => upgradeOf(contents, at), requireSound);
  return { kept, verified: await verifyLedger(directory, { headFile }) };
}

/** Returns the record that a chain of the first format goes on with. Errors: ledger.corrupt where the chain does not hold. */
export function upgradeOf(contents: Contents, at: number): Append {
  requireSound(contents);
  const first = new FirstPart();
  for (const record of contents.records) first.take(readFirstRecord(record), record);
  const entry = { kind: "upgrade", payload: { version: 2 } } as const;
  const tree = { root: emptyRoot, node: () => null };
  return sealAfter(contents.records.at(-1) ?? null, at, entry, upgraded(first.ledger(), at), tree);
}

function requireSound(contents: Contents): void {
  const { problem } = replay(contents);
  if (problem) throw corrupt(problem.reason, problem.sequence);
}
