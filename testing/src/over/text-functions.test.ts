import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asked, makeTable, withoutNoise, written } from "./whole-table.ts";

/*
 * Functions of texts and times over released values mean in whole questions what DuckDB means.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await makeTable(connection);
});
afterAll(() => connection.closeSync());

const c = "WITH c AS (SELECT d, COUNT(*) AS n FROM t GROUP BY d)";
const e = "WITH e AS (SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g)";
const k =
  "WITH k AS (SELECT CASE WHEN m < 4 THEN 'early Spring' WHEN m < 9 THEN ' late Summer ' ELSE 'b_c' END AS s, COUNT(*) AS n FROM t GROUP BY 1)";

describe("without noise, a question with such functions returns what DuckDB returns", () => {
  it.each([
    "SELECT upper(g) AS u, COUNT(*) AS n FROM t GROUP BY g ORDER BY u",
    "SELECT g || '-' || m AS name, COUNT(*) AS n FROM t GROUP BY g, m ORDER BY name, n",
    "SELECT EXTRACT(month FROM d) AS mon, EXTRACT(week FROM d) AS w, d, COUNT(*) AS n FROM t GROUP BY d ORDER BY d",
    `${c} SELECT date_trunc('month', d) AS mon, SUM(n) AS n FROM c GROUP BY 1 ORDER BY 1`,
    `${c} SELECT EXTRACT(isodow FROM d) AS day, EXTRACT(doy FROM d) AS y, EXTRACT(quarter FROM d) AS q, SUM(n) AS n FROM c GROUP BY 1, 2, 3 ORDER BY 2`,
    `${e} SELECT g, SUM(n) AS n FROM e WHERE g LIKE 'a%' OR upper(g) = 'B' GROUP BY g ORDER BY g`,
    `${c} SELECT date_trunc('week', d) AS w, SUM(n) AS n FROM c WHERE CAST(d AS text) NOT LIKE '%-01-__' GROUP BY ALL ORDER BY w`,
    `${e} SELECT COALESCE(UPPER(g), 'none') AS u, SUM(n) AS n FROM e GROUP BY 1 ORDER BY 1`,
    `${e} SELECT CAST(m AS text) || '/' || g AS name, n FROM e WHERE m > 3 ORDER BY n, name`,
    `${c} SELECT 'day ' || CAST(d AS text) AS name, n FROM c ORDER BY name`,
    `${k} SELECT trim(s) AS t, length(s) AS l, left(s, 3) AS a, right(s, 2) AS b, substr(s, 2, 4) AS c, substring(s, 3) AS e, n FROM k ORDER BY n`,
    `${k} SELECT replace(s, 'e', '33') AS r, replace(s, 'r', '') AS q, split_part(s, ' ', 2) AS p, strpos(s, 'r') AS at, ltrim(s) || rtrim(s) AS lr, n FROM k ORDER BY n`,
    `${k} SELECT n, s LIKE '%S%' AS has, s LIKE 'b_c' AS is_bc, s NOT ILIKE '%SPRING' AS other FROM k ORDER BY n`,
    `${k} SELECT concat(lower(s), '!', CAST(n > 100 AS text)) AS words, n FROM k ORDER BY n`,
  ])("%s", async (text) => {
    const { rows } = await withoutNoise(text, connection);
    const theirs = written(text, await asked(text, connection));
    expect(theirs.length).toBeGreaterThan(0);
    expect(written(text, rows)).toEqual(theirs);
  });

  it("writes a number as its shortest decimal, whatever its size", async () => {
    const text = "SELECT ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) || '%' AS pct FROM t GROUP BY g";
    const { rows } = await withoutNoise(text, connection);
    for (const [cell] of rows) expect(cell).toMatch(/^\d+(\.\d{1,2})?%$/);
  });
});
