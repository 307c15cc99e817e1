import { checkRole } from "../check-role.ts";
import { checkSchema } from "../check-schema.ts";
import { checkServer, durably } from "../check-server.ts";
import { type Connection, connect } from "../connection.ts";
import { type PostgresPlace, placeText, readPostgresUrl } from "../place.ts";
import { noReplica, postgresError } from "../postgres-error.ts";

const waitMs = 60_000;

/**
 * Does the work of a move in one transaction that holds the lock of the head, so that nobody is charged there meanwhile, and commits it; what the work throws undoes all. Where the URL requires a replica, it has heard of the commit, and of
 * one before it whose wait was cut off. Errors: those of openPostgresStore; those of the work.
 */
export async function withHeadLocked<T>(
  url: string,
  work: (connection: Connection, place: PostgresPlace) => Promise<T>,
): Promise<T> {
  const place = readPostgresUrl(url);
  let connection: Connection | null = null;
  try {
    connection = await connect(place, waitMs);
    await checkServer(connection, place, { requireSynchronousReplica: place.needsReplica });
    await checkRole(connection, place);
    await checkSchema(connection, place);
    // The other place is read, written or sealed while this transaction is open: the server must not end it for being idle.
    await connection.run(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${durably}; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL lock_timeout = ${waitMs}; SELECT FROM ${place.schema}.ledger WHERE id = 0 FOR UPDATE`,
    );
    const done = await work(connection, place);
    // Also where nothing was written: this commit, which locked a row, waits for all before it.
    connection.warning();
    const [told] = await connection.run("COMMIT");
    if (told?.command !== "COMMIT") throw new Error(`the move in ${placeText(place)} was undone`);
    if (place.needsReplica && connection.warning() !== null) throw noReplica(place);
    return done;
  } catch (error) {
    throw postgresError(place, error);
  } finally {
    await connection?.end();
  }
}
