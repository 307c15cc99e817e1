import type { Whole } from "../../whole.ts";
import { checkRole } from "../check-role.ts";
import { checkSchema } from "../check-schema.ts";
import { checkServer, durably } from "../check-server.ts";
import { type Connection, connect } from "../connection.ts";
import { placeText, readPostgresUrl } from "../place.ts";
import { noReplica, postgresError } from "../postgres-error.ts";
import { readContents } from "../read-contents.ts";

const waitMs = 60_000;

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
  const place = readPostgresUrl(url);
  const { schema } = place;
  let connection: Connection | null = null;
  try {
    connection = await connect(place, waitMs);
    await checkServer(connection, place, { requireSynchronousReplica: place.needsReplica });
    await checkRole(connection, place);
    await checkSchema(connection, place);
    // Nobody is charged while the copy is made: the server must not end the transaction for being idle.
    await connection.run(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${durably}; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL lock_timeout = ${waitMs}; SELECT FROM ${schema}.ledger WHERE id = 0 FOR UPDATE`,
    );
    const [told] = await connection.run(`SELECT target FROM ${schema}.moves`);
    const went = told?.rows[0] === undefined ? null : String(told.rows[0].target);
    if (went === null) {
      await copy(await readWhole(connection, schema));
      await connection.run(`INSERT INTO ${schema}.moves (id, target) VALUES (0, $1)`, [target]);
    }
    // Also where it was sealed before: the replica may lack a seal whose wait was cut off, and this commit, which locked a row, waits for all before it.
    connection.warning();
    const [done] = await connection.run("COMMIT");
    if (done?.command !== "COMMIT") throw new Error(`the seal of ${placeText(place)} was undone`);
    if (place.needsReplica && connection.warning() !== null) throw noReplica(place);
    return went ?? target;
  } catch (error) {
    throw postgresError(place, error);
  } finally {
    await connection?.end();
  }
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
