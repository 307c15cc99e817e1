import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { type PostgresServer, startPostgres } from "./start-postgres.ts";

/** There once the tests run, and not yet where they are described. */
export interface ServerWith {
  readonly server: PostgresServer;
  /** Connected as the superuser. */
  readonly admin: Client;
}

/**
 * A server for the tests of one `describe`, made by this SQL before the first and stopped behind the last.
 * @example const own = serverWith("CREATE ROLE lethe LOGIN"); it("…", () => own.admin.query("SELECT 1"));
 */
export function serverWith(sql: string, settings: Readonly<Record<string, string>> = {}): ServerWith {
  const own: { server?: PostgresServer; admin?: Client } = {};
  beforeAll(async () => {
    own.server = await startPostgres(settings);
    own.admin = new Client({ connectionString: own.server.url });
    await own.admin.connect();
    await own.admin.query(sql);
  });
  afterAll(async () => {
    await own.admin?.end();
    await own.server?.stop();
  });
  return own as ServerWith;
}
