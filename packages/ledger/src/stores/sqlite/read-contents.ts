import { createHash } from "node:crypto";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Contents, StoredRecord } from "../store.ts";
import { firstVersion } from "./first-schema.ts";

/** The columns of a record that its hash covers, in the order of their names in the code. */
export const columns = "sequence, at, kind, payload, balance, previous, hash";

/** Reads everything of a ledger file of a version, within the transaction that is open. */
export function readContents(db: DatabaseSyncInstance, version: number): Contents {
  const records: StoredRecord[] = db.prepare(`SELECT ${columns} FROM records ORDER BY sequence`).all();
  const releases = new Map<number, string>();
  for (const row of db.prepare("SELECT sequence, bytes FROM releases").iterate()) {
    const { sequence, bytes } = row as { sequence: number; bytes: Uint8Array };
    releases.set(sequence, createHash("sha256").update(bytes).digest("hex"));
  }
  const balance: { content: string } | undefined = db.prepare("SELECT content FROM balance").get();
  const nodes: { path: string; content: string }[] =
    version === firstVersion ? [] : db.prepare("SELECT path, content FROM nodes").all();
  return {
    records,
    balance: balance?.content ?? null,
    nodes: new Map(nodes.map(({ path, content }) => [path, content])),
    releases,
  };
}
