import { LetheError } from "@lethe/core";
import type { Contents, StoredRecord } from "../../store.ts";
import type { Whole } from "../../whole.ts";
import type { Connection } from "../connection.ts";
import { named } from "../named-record.ts";
import { placeText } from "../place.ts";
import { moved } from "../postgres-error.ts";
import { readContents } from "../read-contents.ts";
import { withHeadLocked } from "./with-head-locked.ts";

/** The most records that one statement brings. */
const atOnce = 500;

/**
 * Puts a whole ledger into tables that hold none, in one transaction; `beforeCommit` is given what lies there by then, and what it throws undoes all. Where the tables
 * hold this very ledger already, or what it went on to, they are left as they are, and `beforeCommit` is called as well: a move that was cut off goes on.
 * Errors: ledger.exists where they hold another; those of openPostgresStore.
 */
export async function fillTables(
  url: string,
  whole: Whole,
  beforeCommit: (contents: Contents) => Promise<void>,
): Promise<void> {
  await withHeadLocked(url, async (connection, place) => {
    const { schema } = place;
    const [told, went] = await connection.run(
      `SELECT hash FROM ${schema}.ledger; SELECT target FROM ${schema}.moves`,
    );
    if (went?.rows[0]) throw moved(place, String(went.rows[0].target));
    const head = whole.records.at(-1);
    const kept = told?.rows[0]?.hash ?? null;
    if (kept === null) await insert(connection, schema, whole);
    else if (!(await holds(connection, schema, head)))
      throw new LetheError("ledger.exists", `another ledger lies in ${placeText(place)}`, {
        fix: "name a schema with the tables of lethe ledger tables and no ledger in them; nothing was changed",
        fields: { schema },
      });
    await beforeCommit(await readContents(connection, schema));
  });
}

/** Whether the tables hold a record: then they hold all before it, and may have gone on. */
async function holds(
  connection: Connection,
  schema: string,
  record: StoredRecord | undefined,
): Promise<boolean> {
  const sql = `SELECT hash FROM ${schema}.records WHERE sequence = $1`;
  const [told] = await connection.run(sql, [record?.sequence ?? null]);
  return record !== undefined && told?.rows[0]?.hash === record.hash;
}

async function insert(
  connection: Connection,
  schema: string,
  { records, balance, nodes, releases }: Whole,
): Promise<void> {
  for (let at = 0; at < records.length; at += atOnce) {
    const page = records.slice(at, at + atOnce).map(named);
    await connection.run(
      `INSERT INTO ${schema}.records (sequence, at, kind, payload, balance, previous, hash, request, principal, payer)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])`,
      [
        ...(["sequence", "at", "kind", "payload", "balance", "previous", "hash"] as const).map((name) =>
          page.map(({ record }) => record[name]),
        ),
        ...(["request", "principal", "payer"] as const).map((name) => page.map((each) => each[name])),
      ],
    );
  }
  for (const [sequence, bytes] of releases)
    await connection.run(`INSERT INTO ${schema}.releases (sequence, bytes) VALUES ($1, $2)`, [
      sequence,
      Buffer.from(bytes),
    ]);
  const head = records.at(-1);
  const entries = [...nodes];
  for (let at = 0; at < entries.length; at += atOnce) {
    const page = entries.slice(at, at + atOnce);
    await connection.run(
      `INSERT INTO ${schema}.nodes (path, content, changed) SELECT path, content, $3 FROM unnest($1::text[], $2::text[]) AS n (path, content)`,
      [page.map(([path]) => path), page.map(([, content]) => content), head?.sequence ?? 0],
    );
  }
  await connection.run(`UPDATE ${schema}.ledger SET sequence = $1, hash = $2, balance = $3 WHERE id = 0`, [
    head?.sequence ?? null,
    head?.hash ?? null,
    balance,
  ]);
}
