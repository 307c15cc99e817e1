import type { LetheError } from "@lethe/core";
import { readPolicy } from "@lethe/query";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { openPostgres } from "./open-postgres.ts";

const columns = "columns: { id: { type: text }, x: { type: number, bounds: [0, 9] } }";

describe.skipIf(!hasPostgres())("what tables of PostgreSQL read", () => {
  const own = serverWith(`CREATE ROLE reader LOGIN;
    CREATE TABLE base (id text, x float8); CREATE TABLE codes (id text, x float8);
    CREATE VIEW near AS SELECT id, x FROM base WHERE x > 1;
    CREATE VIEW far AS SELECT * FROM near UNION ALL SELECT 'a', 1 WHERE EXISTS (SELECT FROM codes);
    CREATE MATERIALIZED VIEW kept AS SELECT * FROM near;
    CREATE TABLE parted (id text, x float8) PARTITION BY LIST (id);
    CREATE TABLE part PARTITION OF parted FOR VALUES IN ('p'); CREATE TABLE other_part PARTITION OF parted FOR VALUES IN ('q');
    CREATE TABLE grown () INHERITS (codes);
    CREATE TABLE ruled (id text, x float8); CREATE RULE also AS ON INSERT TO ruled DO ALSO DELETE FROM base;
    CREATE TABLE secured (id text, x float8); CREATE POLICY few ON secured FOR SELECT USING (x > (SELECT max(x) FROM base));
    CREATE TABLE filled (id text, x float8); CREATE POLICY filled ON filled FOR INSERT WITH CHECK (x > (SELECT max(x) FROM base));
    CREATE TABLE unheeded (id text, x float8); CREATE POLICY few ON unheeded USING (x > (SELECT max(x) FROM base));
    ALTER TABLE secured ENABLE ROW LEVEL SECURITY; ALTER TABLE filled ENABLE ROW LEVEL SECURITY;
    CREATE VIEW over_secured AS SELECT * FROM secured;
    CREATE FUNCTION many() RETURNS float8 LANGUAGE sql AS 'SELECT max(x) FROM base';
    CREATE VIEW hidden AS SELECT 'a'::text AS id, many() AS x;
    CREATE FUNCTION most(float8, float8) RETURNS float8 LANGUAGE sql AS 'SELECT max(x) FROM base';
    CREATE OPERATOR ||| (FUNCTION = most, LEFTARG = float8, RIGHTARG = float8);
    CREATE VIEW operated AS SELECT 'a'::text AS id, 1e0 ||| 1e0 AS x;
    CREATE TABLE guarded (id text, x float8); CREATE POLICY few ON guarded USING (x > many());
    ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`);

  /** Returns the message that refuses the first relation where the second stands beside it; null where it is accepted. */
  async function clash(owned: string, free: string, role = "public: true, key: id"): Promise<string | null> {
    const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables:
  owned: { relation: ${owned}, unit: id, ${columns} }
  free: { relation: ${free}, ${role}, ${columns} }
`);
    const engine = openPostgres({ policy, url: own.server.urlOf("reader"), seed: "s", log: () => undefined });
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
    ["base", "secured"],
    ["base", "over_secured"],
  ])("%s and %s may not be read in two roles", async (a, b) => {
    expect(await clash(a, b)).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(b, a)).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(a, b, "unit: row")).toMatch(/^owned and free read one source in two roles/);
    expect(await clash(a, b, "unit: id")).toBeNull();
  });

  it.each([
    ["a function", "hidden"],
    ["an operator", "operated"],
    ["a policy of rows with a function", "guarded"],
  ])("%s of somebody's own may read anything", async (_, relation) => {
    expect(await clash("base", relation)).toMatch(/^what free reads cannot be told/);
  });

  it.each([
    ["base", "codes"],
    ["near", "grown"],
    ["part", "other_part"],
    ["base", "gone"],
    ["base", "ruled"],
    ["base", "filled"],
    ["base", "unheeded"],
  ])("%s and %s are two sources", async (a, b) => {
    expect(await clash(a, b)).toBeNull();
  });
});
