import { corrupt } from "../../records/corrupt.ts";
import type { StoredRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { View } from "./view.ts";

/**
 * Writes what a view adds, in one statement, on top of the head that was read under the lock. Errors: ledger.corrupt where the head is
 * another by now, which the lock excludes; PostgreSQL's.
 */
export async function writeAdded(
  connection: Connection,
  schema: string,
  view: View,
  head: StoredRecord | null,
): Promise<void> {
  const { pending, added, changed } = view;
  const last = pending.at(-1)?.record;
  if (!last) return;
  const records = pending.map(({ record, request, principal, payer }) => ({
    ...record,
    request,
    principal,
    payer,
  }));
  const releases = added.flatMap(({ record, release }) =>
    release ? [{ sequence: record.sequence, release }] : [],
  );
  const [told] = await connection.run(
    `WITH new_records AS (
       INSERT INTO ${schema}.records (sequence, at, kind, payload, balance, previous, hash, request, principal, payer)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
     ), new_releases AS (
       INSERT INTO ${schema}.releases (sequence, bytes) SELECT * FROM unnest($11::bigint[], $12::bytea[])
     ), new_nodes AS (
       INSERT INTO ${schema}.nodes (path, content, changed) SELECT path, content, $18 FROM unnest($13::text[], $14::text[]) AS n (path, content)
       ON CONFLICT (path) DO UPDATE SET content = excluded.content, changed = excluded.changed
     )
     UPDATE ${schema}.ledger SET sequence = $18, hash = $15, balance = $16
     WHERE id = 0 AND hash IS NOT DISTINCT FROM $17 RETURNING id`,
    [
      records.map(({ sequence }) => sequence),
      records.map(({ at }) => at),
      ...(["kind", "payload", "balance", "previous", "hash", "request", "principal", "payer"] as const).map(
        (name) => records.map((record) => record[name]),
      ),
      releases.map(({ sequence }) => sequence),
      releases.map(({ release }) => Buffer.from(release)),
      [...changed.keys()],
      [...changed.values()],
      last.hash,
      view.balance,
      head?.hash ?? null,
      last.sequence,
    ],
  );
  if (told?.rows.length !== 1) throw corrupt("its head is another than the one that was locked");
}
