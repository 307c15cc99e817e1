import { LetheError } from "@lethe/core";
import type { PoolClient } from "pg";

/** The first with Unicode's own upper and lower case, the same on every machine (pg_c_utf8). */
const oldestVersion = 17;

/** Whether the dialect's text means on this server what it should. Errors: engine.source. */
export async function checkServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::integer / 10000 AS version, " +
      "current_setting('server_encoding') AS encoding",
  );
  const [server] = rows;
  if (server === undefined) throw new Error("the server did not say what it is");
  const { version, encoding } = server;
  if (!(version >= oldestVersion)) {
    throw new LetheError("engine.source", `the server is PostgreSQL ${version}`, {
      fix: `ask one of version ${oldestVersion} or later`,
      fields: { version },
    });
  }
  if (encoding !== "UTF8") {
    throw new LetheError("engine.source", `the database is encoded as ${encoding}`, {
      fix: "ask a database whose encoding is UTF8: texts are hashed and cut by character",
      fields: { encoding },
    });
  }
}
