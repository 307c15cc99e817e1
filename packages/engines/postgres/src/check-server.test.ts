import { hasPostgres, serverWith } from "@lethe/testing";
import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { checkServer } from "./check-server.ts";
import { toldOfPeople } from "./testing/asked-server.ts";

const clientOf = (version: number, encoding: string): PoolClient =>
  ({ query: async () => ({ rows: [{ version, encoding }] }) }) as unknown as PoolClient;

describe("a server is asked", () => {
  test("from PostgreSQL 17 on, where its database is UTF8", async () => {
    for (const version of [17, 18])
      await expect(checkServer(clientOf(version, "UTF8"))).resolves.toBeUndefined();
  });

  test("never if it is older, and the error names its version and the oldest that will do", async () => {
    for (const version of [13, 16])
      await expect(checkServer(clientOf(version, "UTF8"))).rejects.toMatchObject({
        code: "engine.source",
        message: expect.stringContaining(`PostgreSQL ${version}`),
        fix: expect.stringContaining("17"),
        fields: { version },
      });
  });

  test("never if its database has another encoding, and the error names it", async () => {
    for (const encoding of ["LATIN1", "SQL_ASCII"])
      await expect(checkServer(clientOf(17, encoding))).rejects.toMatchObject({
        code: "engine.source",
        message: expect.stringContaining(encoding),
        fields: { encoding },
      });
  });
});

describe.skipIf(!hasPostgres())("a server that runs", () => {
  const own = serverWith(
    "CREATE TABLE people (id integer); CREATE ROLE lethe LOGIN; GRANT SELECT ON people TO lethe",
  );

  test("is asked from PostgreSQL 17 on, and refused by its version before", async () => {
    const { rows } = await own.admin.query("SHOW server_version");
    const version = Number.parseInt(rows[0].server_version, 10);
    const told = await toldOfPeople(own.server, "lethe", "unit: row, columns: { id: { type: integer } }");
    expect(told).toMatchObject(
      version >= 17 ? { layout: "raw" } : { code: "engine.source", fields: { version } },
    );
  });
});
