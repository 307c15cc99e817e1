import { setTimeout as pause } from "node:timers/promises";
import { LetheError } from "@lethe/core";
import { type Connection, connect } from "../postgres/connection.ts";
import { type PostgresPlace, placeText, readPostgresUrl } from "../postgres/place.ts";
import { postgresError } from "../postgres/postgres-error.ts";
import type { HeldLedger, HoldingService } from "./held-ledger.ts";

/** The longest wait for an answer of the server, in milliseconds. */
const waitMs = 10_000;

/** The pauses, in milliseconds, in which a service that was ended leaves. */
const leavingMs = [100, 200, 400];

/** The server ends the session of a machine that is gone after about a minute, and its lock with it. */
const watched =
  "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

/**
 * Holds a ledger's tables for the processes of one service, on whichever machines they run: each has a session with an advisory lock, which ends with it. A lock that is lost with its session is taken again within seconds of the
 * server's return. Errors: ledger.served where another service holds it; those of the server, coded.
 * @param lookMs how often the session is looked at, in milliseconds
 */
export async function holdTables(
  url: string,
  { number, onTaken = () => undefined }: HoldingService,
  lookMs = 5_000,
): Promise<HeldLedger> {
  const place = readPostgresUrl(url);
  let connection: Connection | null = await held(place, number);
  let isReleased = false;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await connection?.run("SELECT 1");
      connection ??= await held(place, number);
      if (isReleased) await connection.end();
    } catch (error) {
      await connection?.end();
      connection = null;
      if (isReleased || !isServed(error)) return;
      clearInterval(looking);
      onTaken(error);
    } finally {
      isLooking = false;
    }
  };
  const looking = setInterval(() => void look(), lookMs);
  looking.unref();
  return {
    release() {
      isReleased = true;
      clearInterval(looking);
      void connection?.end();
    },
  };
}

const isServed = (error: unknown): error is LetheError =>
  error instanceof LetheError && error.code === "ledger.served";

/** Opens a session that holds the lock. */
async function held(place: PostgresPlace, service: number): Promise<Connection> {
  let connection: Connection | null = null;
  try {
    connection = await connect(place, waitMs);
    for (const next of [...leavingMs, null]) {
      if (await takes(connection, place, service)) return connection;
      if (next !== null) await pause(next);
    }
    throw new LetheError("ledger.served", `another service answers from the ledger in ${placeText(place)}`, {
      fix: "name that service's database in the variable of store.url_env, and this is one more process of it; or end its processes, or serve another policy, in another folder with a ledger of its own",
      fields: { host: place.host, database: place.database, schema: place.schema },
    });
  } catch (error) {
    await connection?.end();
    throw postgresError(place, error);
  }
}

/**
 * Takes the lock that processes of one service share, unless one of another service has its own, and returns whether it did. Of a lock's two numbers the first is the ledger's, and the second the service's, or 0 for whoever looks: of those who
 * start together one looks, and takes its lock, before the next looks.
 */
async function takes(connection: Connection, { schema }: PostgresPlace, service: number): Promise<boolean> {
  const ledger = `pg_catalog.hashtext('lethe.${schema}')`;
  const told = await connection.run(
    `${watched}; BEGIN; SET LOCAL lock_timeout = ${waitMs}; SELECT pg_catalog.pg_advisory_xact_lock(${ledger}, 0);
     SELECT CASE WHEN others = 0 THEN pg_catalog.pg_try_advisory_lock_shared(${ledger}, ${service}) ELSE FALSE END AS taken FROM (
       SELECT count(*) AS others FROM pg_catalog.pg_locks
       WHERE locktype = 'advisory' AND objsubid = 2 AND classid = ${ledger}::oid AND objid NOT IN (0, ${service})
         AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
     ) AS seen;
     COMMIT`,
  );
  return told.some(({ rows }) => rows[0]?.taken === true);
}
