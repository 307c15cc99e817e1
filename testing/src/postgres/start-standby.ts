import { chmodSync, cpSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "./start-postgres.ts";

/** The name by which a standby is known to its primary, in synchronous_standby_names. */
export const standbyName = "standby";

/** What a copy of a server's data leaves out (PostgreSQL, Making a Base Backup Using the Low Level API): the log is streamed, and the rest is the running server's own. */
const left = /^(?:pg_wal\/.|pg_replslot\/.|pg_stat_tmp\/.|pg_subtrans\/.|pg_notify\/.|postmaster\.)/;

/**
 * Starts a hot standby of a server that runs: its data are copied while it does, and then the standby streams its log. Its primary waits for it where
 * `setSynchronous` says so.
 */
export async function startStandby(
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const { port, username } = new URL(primary.url);
  const conninfo = `host=127.0.0.1 port=${port} user=${username} application_name=${standbyName}`;
  return startPostgres({ ...settings, primary_conninfo: conninfo }, username, (data) =>
    asAdmin(primary, async (admin) => {
      const from = join(primary.directory, "data");
      await admin.query("SELECT pg_backup_start('standby', true)");
      cpSync(from, data, { recursive: true, filter: (path) => !left.test(relative(from, path)) });
      const { rows } = await admin.query("SELECT labelfile FROM pg_backup_stop(false)");
      writeFileSync(join(data, "backup_label"), rows[0].labelfile);
      writeFileSync(join(data, "standby.signal"), "");
      chmodSync(data, 0o700);
    }),
  );
}

/** Whether commits of a primary wait for its standby, from now on. */
export function setSynchronous(primary: PostgresServer, isSynchronous: boolean): Promise<void> {
  return asAdmin(primary, async (admin) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? standbyName : ""}'`);
    await admin.query("SELECT pg_reload_conf()");
    await until(
      admin,
      `SELECT count(*) = 1 AS holds FROM pg_stat_replication WHERE sync_state = '${isSynchronous ? "sync" : "async"}'`,
    );
  });
}

/** Makes a standby a primary, with all that it has heard. */
export function promote(standby: PostgresServer): Promise<void> {
  return asAdmin(standby, async (admin) => {
    await admin.query("SELECT pg_promote(true, 60)");
    await until(admin, "SELECT NOT pg_is_in_recovery() AS holds");
  });
}

async function asAdmin(server: PostgresServer, use: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  try {
    await use(admin);
  } finally {
    await admin.end();
  }
}

async function until(admin: Client, sql: string): Promise<void> {
  for (;;) {
    const { rows } = await admin.query(sql);
    if (rows[0].holds) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
