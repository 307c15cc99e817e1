import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { checkServer } from "./check-server.ts";
import { type Connection, connect } from "./connection.ts";
import { readPostgresUrl } from "./place.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { postgresSchema } from "./schema.ts";

describe.skipIf(!hasPostgres())("what a server must promise", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "off" });

  it("a server that does not flush is refused", async () => {
    await own.admin.query(postgresSchema("lethe", "gateway"));
    await expect(openPostgresStore(own.server.urlOf("gateway"))).rejects.toMatchObject({
      code: "ledger.server",
      fields: { setting: "fsync" },
    });
  });

  it.each([
    ["version", 14, "server_version"],
    ["encoding", "SQL_ASCII", "server_encoding"],
    ["replica", true, "pg_is_in_recovery"],
    ["readOnly", "on", "default_transaction_read_only"],
    ["fullPageWrites", "off", "full_page_writes"],
    ["synchronousCommit", "local", "synchronous_commit"],
    ["replicationRole", "replica", "session_replication_role"],
    ["standbys", " ", "synchronous_standby_names"],
    ["replica", null, "pg_is_in_recovery"],
  ])("%s = %j is refused, and the same server without it is not", async (name, value, setting) => {
    const place = readPostgresUrl(own.server.urlOf("gateway"));
    const connection = await connect(place, 5000);
    const saying = (more: Readonly<Record<string, unknown>>): Connection => ({
      ...connection,
      run: async (sql, values) =>
        (await connection.run(sql, values)).map((told) => ({
          ...told,
          rows: told.rows.map((row) => ({ ...row, fsync: "on", standbys: "one", ...more })),
        })),
    });
    const required = { requireSynchronousReplica: true };
    await checkServer(saying({}), place, required);
    await expect(checkServer(saying({ [name]: value }), place, required)).rejects.toMatchObject({
      code: "ledger.server",
      fields: { setting },
    });
    await connection.end();
  });
});
