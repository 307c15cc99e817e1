import { openPostgres } from "@lethe/engine-postgres";
import { answerPublic, readPublic } from "@lethe/gateway";
import { type Engine, readPolicy } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverWith } from "./server-with.ts";
import { hasPostgres } from "./start-postgres.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
database: { kind: postgres }
tables:
  people: { unit: id, columns: { id: { type: integer }, region: { type: text } } }
  regions:
    public: true
    key: region
    columns:
      region: { type: text }
      Millions: { type: number, bounds: [0, 8] }
      founded: { type: date, bounds: [1900-01-01, 2030-12-31] }
      seen: { type: timestamp, bounds: [2000-01-01, 2030-12-31] }
      coastal: { type: boolean }
`);

const made = `
CREATE ROLE reader LOGIN;
CREATE TABLE people (id integer, region text);
CREATE TABLE regions (region text, "Millions" numeric(6, 2), founded date, seen timestamp, coastal boolean, secret text);
INSERT INTO regions VALUES
  ('north', 1.5, '1990-05-01', '2024-01-01 08:30:00', true, 'x'), ('south', 2.25, '2001-11-30', '2024-02-01 09:00:00', false, 'y'),
  ('east', 0.5, NULL, NULL, true, 'z'), ('o''west', 4, '1970-01-01', '2023-12-31 23:59:59', NULL, 'w');
GRANT SELECT ON people, regions TO reader;
SET timezone = 'UTC'; SET datestyle = 'ISO'`;

describe.skipIf(!hasPostgres())("a question of public tables alone, on a server", () => {
  const own = serverWith(made);
  let engine: Engine;
  beforeAll(() => {
    engine = openPostgres({ policy, url: own.server.urlOf("reader"), seed: "a seed", log: () => undefined });
  });
  afterAll(() => engine.close());

  const asked = async (text: string): Promise<readonly (readonly unknown[])[]> => {
    const question = await readPublic(text, [], "2024-06-11", policy);
    if (!question) throw new Error(`no question of public tables: ${text}`);
    return (await answerPublic(question, engine)).rows;
  };
  /** As texts, which PostgreSQL itself writes. */
  const plain = async (text: string): Promise<readonly (readonly unknown[])[]> => {
    const types = { getTypeParser: () => (value: string) => value };
    const { rows } = await own.admin.query<string[]>({ text, rowMode: "array", types } as never);
    return rows as unknown as readonly (readonly unknown[])[];
  };
  const written = (rows: readonly (readonly unknown[])[]): readonly string[] =>
    rows.map((row) =>
      row
        .map((cell) => (cell === true ? "t" : cell === false ? "f" : cell))
        .map((cell) => (cell !== null && cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell))
        .join(" | "),
    );

  it.each([
    `SELECT region, "Millions" * 2 AS twice, founded, seen, coastal FROM public.regions ORDER BY region`,
    `SELECT coastal, COUNT(*) AS n, SUM("Millions"), AVG("Millions") FILTER (WHERE founded IS NOT NULL) FROM regions GROUP BY coastal ORDER BY n DESC, 1`,
    `WITH big AS (SELECT * FROM regions WHERE "Millions" > 1), n(k) AS (SELECT COUNT(*) FROM big) SELECT big.region, n.k FROM big, n ORDER BY 1`,
    `SELECT region FROM regions r WHERE EXISTS (SELECT 1 FROM regions s WHERE s."Millions" < r."Millions" - 2) ORDER BY 1`,
    `SELECT region, RANK() OVER (ORDER BY "Millions" DESC) AS k, SUM("Millions") OVER (ORDER BY region ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM regions ORDER BY region`,
    `SELECT region FROM regions WHERE region ~ '^[a-z]o' UNION SELECT upper(region) FROM regions ORDER BY 1`,
    `SELECT EXTRACT(year FROM founded) AS y, date_trunc('month', seen) AS m, to_char(seen, 'YYYY') AS t FROM regions WHERE seen < TIMESTAMP '2024-01-15' + INTERVAL '1' DAY ORDER BY 1`,
    `SELECT q.coastal, percentile_cont(0.5) WITHIN GROUP (ORDER BY q."Millions") AS mid FROM regions q GROUP BY ROLLUP (q.coastal) ORDER BY 1, 2`,
    `SELECT g.i, r.region FROM generate_series(1, 4) AS g(i) LEFT JOIN regions r ON r."Millions" = g.i ORDER BY 1, 2`,
    `SELECT CAST("Millions" AS integer) AS m, position('w' in region) AS p, trim(both 'n' from region) AS b FROM regions ORDER BY region`,
  ])("is what the server returns: %s", async (text) => {
    const expected = await plain(text);
    expect(expected.length).toBeGreaterThan(0);
    expect(written(await asked(text))).toEqual(written(expected));
  });

  it("finds a column that the text writes without quotes, and none that the policy lacks", async () => {
    expect(await asked("SELECT MAX(millions) FROM regions")).toEqual([[4]]);
    await expect(asked("SELECT secret FROM regions")).rejects.toMatchObject({ code: "engine.failed" });
  });

  it.each([
    "SELECT median(millions) FROM regions",
    "SELECT region FROM regions QUALIFY rank() OVER (ORDER BY region) = 1",
  ])("says what this database does not have: %s", async (text) => {
    await expect(asked(text)).rejects.toMatchObject({ code: "query.unsupported" });
  });
});
