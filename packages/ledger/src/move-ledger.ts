import { LetheError } from "@lethe/core";
import { corrupt } from "./records/corrupt.ts";
import { replay } from "./records/replay.ts";
import { existingLayout, storeUrl, writeUrl } from "./stores/open-store.ts";
import { fillTables } from "./stores/postgres/moves/fill-tables.ts";
import { placeUrl, readPostgresUrl } from "./stores/postgres/place.ts";
import { readWholeFile, sealFile } from "./stores/sqlite/seal-file.ts";
import type { Contents, StoredRecord } from "./stores/store.ts";
import { type LedgerVerification, verifyLedger } from "./verify-ledger.ts";

export interface MoveLedgerOptions {
  /** The file that keeps the ledger's head, where there is one: compared before and after. */
  readonly headFile?: string | undefined;
  /** Called between two steps, for tests that end there. */
  readonly between?: (step: MoveStep) => void;
}

/** The steps of a move after which a process can die. */
export type MoveStep = "verified" | "copied" | "sealed" | "committed" | "written";

/**
 * Moves a ledger's records from the file in its directory to tables of PostgreSQL, for several gateways to share; its keys stay where they are. The chain is
 * verified in both places. The file is sealed before the tables can be charged, so that at no moment two can be; a move that was cut
 * off goes on when it is asked for again. Errors: ledger.exists (the tables hold another ledger, or it lies in tables already), ledger.moved
 * (it was moved elsewhere), ledger.busy (somebody was charged meanwhile), and those of verifyLedger and openPostgresStore.
 * @param url postgres://ROLE@HOST/DATABASE?schema=SCHEMA, without a password
 * @example await moveLedger(".lethe/ledger", "postgres://lethe_gateway@db.example/budgets");
 */
export async function moveLedger(
  directory: string,
  url: string,
  { headFile, between = () => undefined }: MoveLedgerOptions = {},
): Promise<LedgerVerification> {
  const files = existingLayout(directory);
  const target = placeUrl(readPostgresUrl(url));
  const present = storeUrl(files);
  if (present !== null && present !== target)
    throw new LetheError("ledger.exists", "the ledger lies in tables of PostgreSQL already", {
      fix: "leave it there; it is moved from a file alone",
    });
  if (present === target) return verifyLedger(directory, { headFile });
  const { whole, target: before } = await readWholeFile(files.database);
  if (before !== null && before !== target)
    throw new LetheError("ledger.moved", "the ledger is on its way to another place", {
      fix: `finish that move: lethe ledger move ${before}`,
      fields: { target: before },
    });
  // A file that is sealed was verified when it was, and cannot be charged: its move goes on.
  if (before === null) await verifyLedger(directory, { headFile });
  between("verified");
  const head = whole.records.at(-1);
  await fillTables(target, whole, async (contents) => {
    requireSame(contents, head);
    between("copied");
    if (before === null) await sealFile(files.database, head?.hash ?? "", target);
    between("sealed");
  });
  between("committed");
  writeUrl(files, target);
  between("written");
  return verifyLedger(directory, { headFile });
}

/** Refuses a copy that does not hold by itself, or does not hold the last record of the file. */
function requireSame(contents: Contents, last: StoredRecord | undefined): void {
  const { problem } = replay(contents);
  if (problem) throw corrupt(problem.reason, problem.sequence);
  if (last === undefined || contents.records[last.sequence]?.hash !== last.hash)
    throw corrupt("the copy does not hold the last record");
}
