import { durably } from "./check-server.ts";
import type { Connection } from "./connection.ts";
import type { PostgresPlace } from "./place.ts";
import { noReplica } from "./postgres-error.ts";

/**
 * Waits until a replica has all that can be read in a session that begins. A server that fails while it waits for its replica shows what it wrote when it is back, though no replica has it: an answer that were told from there could be lost with
 * the server. A transaction that wrote anything waits for all before it, and this one writes an empty message into the log. Errors: ledger.unreadable where the wait was ended at the server; PostgreSQL's.
 */
export async function requireHeard(connection: Connection, place: PostgresPlace): Promise<void> {
  await connection.run(
    `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${durably}; SELECT pg_catalog.pg_logical_emit_message(true, 'lethe', '')`,
  );
  connection.warning();
  await connection.run("COMMIT");
  if (connection.warning() !== null) throw noReplica(place);
}
