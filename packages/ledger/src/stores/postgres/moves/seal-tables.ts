import type { Whole } from "../../whole.ts";
import type { Connection } from "../connection.ts";
import { readContents } from "../read-contents.ts";
import { withHeadLocked } from "./with-head-locked.ts";

/**
 * Seals the tables of a ledger, so that nobody can charge it there any more, neither who opens it nor who has it open. `copy` is given the whole ledger before, while nobody else
 * can be charged, and what it throws seals nothing. Gives where the ledger went: to `target`, or where it was moved before, and then nothing is copied. Errors: those of
 * openPostgresStore.
 */
export async function sealTables(
  url: string,
  target: string,
  copy: (whole: Whole) => Promise<void>,
): Promise<string> {
  return withHeadLocked(url, async (connection, { schema }) => {
    const [told] = await connection.run(`SELECT target FROM ${schema}.moves`);
    if (told?.rows[0]) return String(told.rows[0].target);
    await copy(await readWhole(connection, schema));
    await connection.run(`INSERT INTO ${schema}.moves (id, target) VALUES (0, $1)`, [target]);
    return target;
  });
}

async function readWhole(connection: Connection, schema: string): Promise<Whole> {
  const { records, balance, nodes, releases: hashes } = await readContents(connection, schema);
  const releases = new Map<number, Uint8Array>();
  for (const sequence of hashes.keys()) {
    const [told] = await connection.run(`SELECT bytes FROM ${schema}.releases WHERE sequence = $1`, [
      sequence,
    ]);
    releases.set(sequence, new Uint8Array(told?.rows[0]?.bytes as Uint8Array));
  }
  return { records, balance, nodes, releases };
}
