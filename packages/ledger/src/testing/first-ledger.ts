import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { type KeyPair, newKeyPair, privatePem } from "../directory/key-pair.ts";
import { advance, type RequestHistory, remember, untouched } from "../records/first-format/advance.ts";
import { type Balance, balanceText } from "../records/first-format/balance.ts";
import type { Entry } from "../records/first-format/entry.ts";
import { rememberCharge } from "../records/first-format/past-charges.ts";
import { sealed } from "../records/record.ts";
import { firstSchema, firstVersion } from "../stores/sqlite/first-schema.ts";
import { applicationId } from "../stores/sqlite/schema.ts";
import type { StoredRecord } from "../stores/store.ts";

/** A chain of the first format with its balance and its releases, as the tables of that format hold them. */
export interface FirstChain {
  readonly records: readonly StoredRecord[];
  readonly balance: string;
  /** By the places of the records that settle. */
  readonly releases: ReadonlyMap<number, string>;
}

/** The chain that a release of Lethe wrote before budgets could be applied: a charge that was answered, one that failed, one cut off, and three grants. */
export function oldestChain(): FirstChain {
  const text = readFileSync(new URL("./first-format.json", import.meta.url), "utf8");
  const { records, balance, release } = JSON.parse(text);
  const settled = records.find(({ kind }: StoredRecord) => kind === "settle").sequence;
  return { records, balance, releases: new Map([[settled, release]]) };
}

/** Writes a chain as the first format did, an entry after the other, a minute apart. */
export function firstChain(
  entries: readonly Entry[],
  releases: ReadonlyMap<number, string> = new Map(),
  begin: number = Date.UTC(2025, 11, 31),
): FirstChain {
  const records: StoredRecord[] = [];
  const histories = new Map<string, RequestHistory>();
  const past = new Map();
  let balance: Balance | null = null;
  for (const [place, entry] of entries.entries()) {
    const id = "requestId" in entry.payload ? entry.payload.requestId : "";
    const history = histories.get(id) ?? untouched;
    balance = advance(balance, entry, history, past);
    rememberCharge(past, entry);
    histories.set(id, remember(history, entry));
    records.push(sealed(records.at(-1) ?? null, begin + place * 60_000, entry, balanceText(balance)));
  }
  return { records, balance: balance ? balanceText(balance) : "", releases };
}

/** Makes the files of a ledger of the first format in a folder that exists, with the key that its genesis names where that is given. */
export function writeFirstLedger(directory: string, chain: FirstChain, keys: KeyPair = newKeyPair()): void {
  writeFileSync(join(directory, "ledger.key"), privatePem(keys), { mode: 0o600 });
  const genesis = JSON.parse(chain.records[0]!.payload);
  writeFileSync(join(directory, "ledger.pub"), genesis.publicKey);
  const db = new DatabaseSync(join(directory, "ledger.db"));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${firstVersion};
    ${firstSchema.join(";\n")}`);
  const insert = db.prepare(
    "INSERT INTO records (sequence, at, kind, payload, balance, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { sequence, at, kind, payload, balance, previous, hash } of chain.records)
    insert.run(sequence, at, kind, payload, balance, previous, hash);
  const release = db.prepare("INSERT INTO releases (sequence, bytes) VALUES (?, ?)");
  for (const [sequence, text] of chain.releases) release.run(sequence, Buffer.from(text));
  db.prepare("INSERT INTO balance (id, content) VALUES (0, ?)").run(chain.balance);
  db.close();
}
