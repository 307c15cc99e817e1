import { unreadableDatabase } from "./database-error.ts";
import type { Run } from "./tables.ts";

/** The first version that the service's tables were run on, and that the ledger takes too. */
const oldestVersion = 15;

/** Refuses a server that would lose what it said is committed, or that takes no writes. Errors: people.unreadable. */
export async function requireDurable(run: Run): Promise<void> {
  const [server] = await run<Readonly<Record<string, string>>>(
    `SELECT current_setting('server_version_num') AS version, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
      current_setting('transaction_read_only') AS transaction_read_only, current_setting('server_encoding') AS encoding`,
  );
  const { version, encoding, transaction_read_only: readOnly, ...durable } = server ?? {};
  if (!(Number(version) >= oldestVersion * 10_000))
    throw unreadableDatabase(
      `is of a release before ${oldestVersion}`,
      `use PostgreSQL ${oldestVersion} or later`,
    );
  if (encoding !== "UTF8")
    throw unreadableDatabase(`has the encoding ${encoding}`, "create the database with the encoding UTF8");
  if (readOnly !== "off")
    throw unreadableDatabase(
      "takes no writes: it is a replica, or read-only",
      "name the primary in the variable of `store.url_env`",
    );
  for (const [name, value] of Object.entries(durable))
    if (value === "off")
      throw unreadableDatabase(
        `has ${name} = off, so that it may lose what it said is written`,
        `set ${name} = on for the server and the service's role`,
      );
}
