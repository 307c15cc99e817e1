import type { Contents, StoredRecord } from "../store.ts";
import type { Connection, Row } from "./connection.ts";
import { named } from "./named-record.ts";
import { readNamed } from "./view.ts";

/** The most rows that are read at once. */
const page = 5000;

/** Reads everything of a ledger, within the transaction that is open. */
export async function readContents(connection: Connection, schema: string): Promise<Contents> {
  const records: StoredRecord[] = [];
  for await (const row of pages(
    connection,
    `SELECT * FROM ${schema}.records WHERE sequence > $1 ORDER BY sequence`,
  ))
    records.push(readNamed(row).record);
  const releases = new Map<number, string>();
  for await (const { sequence, hash } of pages(
    connection,
    `SELECT sequence, encode(sha256(bytes), 'hex') AS hash FROM ${schema}.releases WHERE sequence > $1 ORDER BY sequence`,
  ))
    releases.set(Number(sequence), String(hash));
  const nodes = new Map<string, string>();
  for (let last: string | null = null; ; ) {
    const [told] = await connection.run(
      `SELECT path, content FROM ${schema}.nodes WHERE $1::text IS NULL OR path > $1 ORDER BY path LIMIT ${page}`,
      [last],
    );
    for (const { path, content } of told?.rows ?? []) nodes.set(String(path), String(content));
    const end = told?.rows.at(-1);
    if (end === undefined) break;
    last = String(end.path);
  }
  const [told] = await connection.run(`SELECT balance FROM ${schema}.ledger`);
  const balance = told?.rows[0]?.balance;
  return { records, balance: typeof balance === "string" ? balance : null, nodes, releases };
}

/** Whether what records are looked up by is what they state, and the head that is locked is the last record. */
export async function namesHold(connection: Connection, schema: string): Promise<boolean> {
  let last: StoredRecord | null = null;
  for await (const row of pages(
    connection,
    `SELECT * FROM ${schema}.records WHERE sequence > $1 ORDER BY sequence`,
  )) {
    const { record, ...kept } = readNamed(row);
    const { record: _, ...stated } = named(record);
    if (JSON.stringify(kept) !== JSON.stringify(stated)) return false;
    last = record;
  }
  const [told] = await connection.run(`SELECT sequence, hash FROM ${schema}.ledger`);
  const head = told?.rows[0];
  if (last === null) return head?.sequence === null && head.hash === null;
  return Number(head?.sequence) === last.sequence && head?.hash === last.hash;
}

/** The rows of a query in the order of their places, which it gets after $1. */
async function* pages(connection: Connection, sql: string): AsyncGenerator<Row> {
  for (let last = -1; ; ) {
    const [told] = await connection.run(`${sql} LIMIT ${page}`, [last]);
    const rows = told?.rows ?? [];
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = Number(end.sequence);
  }
}
