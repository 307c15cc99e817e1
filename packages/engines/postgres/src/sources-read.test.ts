import type { LetheError } from "@lethe/core";
import { readPolicy } from "@lethe/query";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "./open-postgres.ts";

const columns = "columns: { id: { type: text }, x: { type: number, bounds: [0, 9] } }";

describe.skipIf(!hasPostgres())("what tables of PostgreSQL read", () => {
  let server: PostgresServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("CREATE ROLE reader LOGIN");
    await admin.query("CREATE TABLE base (id text, x float8)");
    await admin.query("CREATE TABLE codes (id text, x float8)");
    await admin.query("CREATE VIEW near AS SELECT id, x FROM base WHERE x > 1");
    await admin.query(
      "CREATE VIEW far AS SELECT * FROM near UNION ALL SELECT 'a', 1 WHERE EXISTS (SELECT FROM codes)",
    );
    await admin.query("CREATE MATERIALIZED VIEW kept AS SELECT * FROM near");
    await admin.query("CREATE TABLE parted (id text, x float8) PARTITION BY LIST (id)");
    await admin.query("CREATE TABLE part PARTITION OF parted FOR VALUES IN ('p')");
    await admin.query("CREATE TABLE other_part PARTITION OF parted FOR VALUES IN ('q')");
    await admin.query("CREATE TABLE grown () INHERITS (codes)");
    await admin.query("CREATE FUNCTION many() RETURNS float8 LANGUAGE sql AS 'SELECT max(x) FROM base'");
    await admin.query("CREATE VIEW hidden AS SELECT 'a'::text AS id, many() AS x");
    await admin.query("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  /** What asking for the first relation is refused with, where the second stands beside it; null where it is not. */
  async function clash(owned: string, free: string, role = "public: true, key: id"): Promise<string | null> {
    const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables:
  owned: { relation: ${owned}, unit: id, ${columns} }
  free: { relation: ${free}, ${role}, ${columns} }
`);
    const engine = openPostgres({ policy, url: server.urlOf("reader"), seed: "s", log: () => undefined });
    try {
      await engine.storage("owned");
      return null;
    } catch (error) {
      const { code, message } = error as LetheError;
      return code === "policy.roles" ? message : null;
    } finally {
      await engine.close();
    }
  }

  it.each([
    ["base", "near"],
    ["base", "far"],
    ["base", "kept"],
    ["kept", "far"],
    ["parted", "part"],
    ["codes", "grown"],
    ["codes", "far"],
  ])("%s and %s may not be read in two roles", async (a, b) => {
    expect(await clash(a, b)).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(b, a)).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(a, b, "unit: row")).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(a, b, "unit: id")).toBeNull();
  });

  it("a function of somebody's own may read anything", async () => {
    expect(await clash("base", "hidden")).toMatch(/^what free reads cannot be told/);
  });

  it.each([
    ["base", "codes"],
    ["near", "grown"],
    ["part", "other_part"],
    ["base", "gone"],
  ])("%s and %s are two sources", async (a, b) => {
    expect(await clash(a, b)).toBeNull();
  });
});
