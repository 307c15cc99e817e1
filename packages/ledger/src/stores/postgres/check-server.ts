import { LetheError } from "@lethe/core";
import type { Connection, Row } from "./connection.ts";
import { type PostgresPlace, placeText } from "./place.ts";

/** The first version whose catalog the checks of a ledger are written for. */
const oldestVersion = 15;

interface Promised {
  /** The setting, or what else is looked at. */
  readonly what: string;
  readonly holds: (server: Row) => boolean;
  readonly said: (server: Row) => string;
  readonly fix: string;
}

/** What PostgreSQL must promise so that a charge that is told is a charge that stays. */
const promises: readonly Promised[] = [
  {
    what: "server_version",
    holds: ({ version }) => Number(version) >= oldestVersion,
    said: ({ version }) => `is of version ${version}`,
    fix: `use PostgreSQL ${oldestVersion} or later`,
  },
  {
    what: "server_encoding",
    holds: ({ encoding }) => encoding === "UTF8",
    said: ({ encoding }) => `is encoded as ${encoding}`,
    fix: "use a database whose encoding is UTF8",
  },
  {
    what: "pg_is_in_recovery",
    holds: ({ replica }) => replica === false,
    said: () => "is a replica, which may be behind",
    fix: "connect to the primary",
  },
  {
    what: "default_transaction_read_only",
    holds: ({ readOnly }) => readOnly === "off",
    said: () => "is read-only (default_transaction_read_only = on)",
    fix: "set default_transaction_read_only = off for this role and database",
  },
  {
    what: "fsync",
    holds: ({ fsync }) => fsync === "on",
    said: () => "does not flush to its disk (fsync = off): a charge could be forgotten",
    fix: "set fsync = on in postgresql.conf, and flush what was written before: initdb --sync-only",
  },
  {
    what: "full_page_writes",
    holds: ({ fullPageWrites }) => fullPageWrites === "on",
    said: () => "may lose half-written pages (full_page_writes = off)",
    fix: "set full_page_writes = on in postgresql.conf",
  },
  {
    what: "synchronous_commit",
    holds: ({ synchronousCommit }) => synchronousCommit === "on",
    said: ({ synchronousCommit }) =>
      `acknowledges before it is durable (synchronous_commit = ${synchronousCommit})`,
    fix: "connect without a pooler that keeps settings of its own, so that Lethe's SET synchronous_commit = on holds",
  },
  {
    what: "session_replication_role",
    holds: ({ replicationRole }) => replicationRole === "origin",
    said: () => "runs no triggers for this role (session_replication_role)",
    fix: "ALTER ROLE … RESET session_replication_role",
  },
];

const replicaPromise: Promised = {
  what: "synchronous_standby_names",
  holds: ({ standbys }) => typeof standbys === "string" && standbys.trim() !== "",
  said: () => "acknowledges without a replica (synchronous_standby_names is empty)",
  fix: "name a standby in synchronous_standby_names, or leave synchronous_replica=required out of the ledger's URL",
};

/** The settings of every transaction that writes: those of the session could be another's behind a pooler. */
export const durably = "SET LOCAL synchronous_commit = on";

/** Refuses a server that does not promise what a ledger needs. Errors: ledger.server, with the setting. */
export async function checkServer(
  connection: Connection,
  place: PostgresPlace,
  { requireSynchronousReplica }: { readonly requireSynchronousReplica: boolean },
): Promise<void> {
  await connection.run("SET synchronous_commit = on");
  const [told] = await connection.run(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version,
      current_setting('server_encoding') AS encoding, pg_catalog.pg_is_in_recovery() AS replica,
      current_setting('default_transaction_read_only') AS "readOnly", current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
      current_setting('session_replication_role') AS "replicationRole",
      current_setting('synchronous_standby_names') AS standbys`,
  );
  const server = told?.rows[0] ?? {};
  const all = requireSynchronousReplica ? [...promises, replicaPromise] : promises;
  const broken = all.find(({ holds }) => !holds(server));
  if (!broken) return;
  throw new LetheError(
    "ledger.server",
    `the server of the ledger in ${placeText(place)} ${broken.said(server)}`,
    {
      fix: broken.fix,
      fields: { setting: broken.what, host: place.host },
    },
  );
}
