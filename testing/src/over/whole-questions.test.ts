import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { LetheError, parseRational } from "@lethe/core";
import { type Plan, readPolicy } from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "../planned.ts";
import { planOver } from "./planned-over.ts";
import { wholeQuestion } from "./random-wholes.ts";
import { asked, makeTable, withoutNoise, written } from "./whole-table.ts";

/*
 * A question is split into one private question and a SELECT over its answer. Without noise both together return what DuckDB returns for the whole text, asked of the private
 * rows themselves: names, filters, groups and windows stand where SQL has them.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await makeTable(connection);
});
afterAll(() => connection.closeSync());

async function expectWhole(text: string): Promise<void> {
  const { plan, rows } = await withoutNoise(text, connection);
  expect(plan.over, text).toBeDefined();
  expect(plan.text).toBe(text);
  const theirs = written(text, await asked(text, connection));
  expect(theirs.length, text).toBeGreaterThan(0);
  expect(written(text, rows), text).toEqual(theirs);
}

const c = "WITH c AS (SELECT m, g, COUNT(*) AS n, SUM(x) AS s FROM t GROUP BY m, g)";

describe("windows over the groups of one SELECT", () => {
  it.each([
    "SELECT g, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () FROM t GROUP BY g",
    "SELECT m, SUM(x) AS s, SUM(SUM(x)) OVER (ORDER BY m) AS run FROM t GROUP BY m ORDER BY m",
    "SELECT m, AVG(x) AS a, AVG(AVG(x)) OVER (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS mv FROM t GROUP BY m ORDER BY m",
    "SELECT m, COUNT(*) AS n, COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY m) AS diff, ROUND(100.0 * (COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY m)) / LAG(COUNT(*)) OVER (ORDER BY m), 1) AS pct FROM t GROUP BY m ORDER BY m",
    "SELECT m, g, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER (PARTITION BY m) AS share FROM t GROUP BY m, g ORDER BY m, share DESC, g",
    "SELECT g, m, ROUND(SUM(x) * 100.0 / SUM(SUM(x)) OVER (PARTITION BY g), 3) AS pct FROM t GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT date_trunc('month', d) AS mon, g, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION BY g ORDER BY date_trunc('month', d)) AS run FROM t GROUP BY date_trunc('month', d), g ORDER BY mon, g",
    "SELECT date_trunc('month', d) AS mon, COUNT(*) AS n, LAG(COUNT(*)) OVER (ORDER BY mon) AS p FROM t GROUP BY mon ORDER BY mon",
    "SELECT EXTRACT(month FROM d) AS mon, AVG(y) AS a, RANK() OVER (ORDER BY AVG(y) DESC) AS r FROM t GROUP BY EXTRACT(month FROM d) ORDER BY r",
    "SELECT CASE WHEN m <= 6 THEN 'h1' ELSE 'h2' END AS half, g, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION BY CASE WHEN m <= 6 THEN 'h1' ELSE 'h2' END) AS w FROM t GROUP BY half, g ORDER BY half, g",
    "SELECT CASE WHEN m <= 6 THEN 'h1' ELSE 'h2' END AS half, g, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION BY half) AS w FROM t GROUP BY 1, 2 ORDER BY half, g",
    "SELECT m, RANK() OVER (ORDER BY COUNT(*)) AS r FROM t GROUP BY m ORDER BY SUM(x) DESC, m LIMIT 4 OFFSET 1",
    "SELECT m, CASE WHEN RANK() OVER (ORDER BY SUM(x) DESC) <= 3 THEN 'top' WHEN LAG(SUM(x)) OVER (ORDER BY m) < SUM(x) THEN 'up' ELSE 'down' END AS word FROM t GROUP BY m ORDER BY m",
    "SELECT m, SUM(x) AS s, SUM(SUM(x)) OVER w AS run, AVG(SUM(x)) OVER w AS mean, FIRST_VALUE(SUM(x)) OVER w AS first FROM t GROUP BY m WINDOW w AS (ORDER BY m) ORDER BY m",
    "SELECT m, COUNT(*) FILTER (WHERE g = 'a') AS a, SUM(COUNT(*) FILTER (WHERE g = 'a')) OVER (ORDER BY m) AS run FROM t GROUP BY m ORDER BY m",
    "SELECT m, g, SUM(COUNT(*)) FILTER (WHERE g = 'a' OR g = 'b') OVER (PARTITION BY m) AS ab FROM t GROUP BY m, g ORDER BY m, g",
    "SELECT m, COUNT(DISTINCT g) AS k, SUM(COUNT(*)) OVER () AS n FROM t GROUP BY m ORDER BY m",
    "SELECT m, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS s FROM t WHERE x > 15 GROUP BY m HAVING n > 60 ORDER BY m",
    "SELECT m, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS s FROM t GROUP BY m HAVING m > 3 AND SUM(x) > 3000 ORDER BY m",
    "SELECT m, g, COUNT(*) AS n, COUNT(*) OVER (PARTITION BY m) AS groups FROM t GROUP BY m, g HAVING COUNT(*) > 15 ORDER BY m, g",
    "SELECT ROW_NUMBER() OVER (ORDER BY m) AS i, m, COUNT(*) FROM t GROUP BY m HAVING COUNT(*) > 80 ORDER BY i",
    "SELECT t.m, t.g, COUNT(*) AS n, MAX(COUNT(*)) OVER (PARTITION BY t.m) AS top FROM t GROUP BY t.m, t.g ORDER BY t.m, t.g",
    "SELECT p.m, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY m) AS run FROM t AS p GROUP BY m ORDER BY p.m",
    "SELECT m, m + 1 AS nextm, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY m + 1) AS run FROM t GROUP BY m ORDER BY m",
    "SELECT m, SUM(SUM(x)) OVER (ORDER BY m) / SUM(SUM(x)) OVER () AS cum FROM t GROUP BY m ORDER BY m",
    "SELECT COUNT(*) AS n, SUM(x) AS s, COUNT(*) OVER () AS k FROM t",
    "SELECT m, COUNT(*) AS n, SUM(n) OVER (ORDER BY m) AS run, RANK() OVER (ORDER BY n DESC) AS r FROM t GROUP BY m ORDER BY r, m",
    "SELECT m, SUM(COUNT(*) * m) OVER (ORDER BY m) AS w, COUNT(*) > AVG(COUNT(*)) OVER () AS above FROM t GROUP BY m ORDER BY m",
    "SELECT g IN ('a', 'b') AS ab, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS w FROM t GROUP BY g IN ('a', 'b') ORDER BY n",
    "SELECT 'all' AS label, m, 1 AS one, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*), m) AS r FROM t GROUP BY m ORDER BY label, r",
    "SELECT m, COALESCE(LAG(COUNT(*)) OVER (ORDER BY m), 0) AS p, LAG(COUNT(*), 2, -1) OVER (ORDER BY m) AS q FROM t GROUP BY m ORDER BY m",
    "SELECT g, SUM(x + y) AS s, SUM(SUM(x + y)) OVER () AS w, LAG(g) OVER (ORDER BY g) AS before FROM t GROUP BY g ORDER BY g",
    "SELECT g, m % 2 AS odd, COUNT(*) AS n, RANK() OVER (PARTITION BY GROUPING(g, m % 2) ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY ROLLUP(g, m % 2)",
    "SELECT d, COUNT(*) AS n, AVG(COUNT(*)) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week FROM t GROUP BY d ORDER BY d",
    "SELECT d, g, SUM(x) AS s, SUM(x) - LAG(SUM(x), 7) OVER (PARTITION BY g ORDER BY d) AS wow FROM t WHERE d >= DATE '2024-03-01' GROUP BY d, g ORDER BY d, g",
    "SELECT m, COUNT(*) AS n FROM t GROUP BY m QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 3",
    "SELECT m, g, SUM(x) AS s FROM t GROUP BY m, g QUALIFY ROW_NUMBER() OVER (PARTITION BY m ORDER BY s DESC, g) = 1 ORDER BY m",
    "SELECT m, g, SUM(x) AS s FROM t GROUP BY m, g HAVING COUNT(*) > 15 AND g IS NOT NULL QUALIFY ROW_NUMBER() OVER (PARTITION BY m ORDER BY SUM(x) DESC, g) <= 2 ORDER BY m, s DESC, g",
    "SELECT m, g, SUM(x) AS s FROM t GROUP BY m, g QUALIFY SUM(x) > AVG(SUM(x)) OVER (PARTITION BY m) ORDER BY m, g",
    "SELECT m, COUNT(*) AS n FROM t GROUP BY m QUALIFY (ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, m) <= 5 OR m > 11) ORDER BY m",
    "SELECT m, COUNT(*) AS n FROM t GROUP BY m HAVING NOT COUNT(*) < 80 QUALIFY NOT RANK() OVER (ORDER BY COUNT(*) DESC) > 3 ORDER BY m",
    "SELECT m, COUNT(*) AS n, SUM(x) AS s FROM t GROUP BY m QUALIFY RANK() OVER (ORDER BY s) <= 3 OR RANK() OVER (ORDER BY n DESC) <= 2 ORDER BY m",
    "SELECT m, LAG(CASE WHEN COUNT(*) > 85 THEN 'big' ELSE 'small' END) OVER (PARTITION BY m > 6 ORDER BY m) AS s FROM t GROUP BY m ORDER BY m",
    "SELECT g, RANK() OVER (ORDER BY COUNT(*), g) AS x FROM t GROUP BY g HAVING SUM(x) < 12800 ORDER BY g",
    "SELECT DISTINCT COUNT(*) AS n FROM t GROUP BY m, g",
    "SELECT DISTINCT g, RANK() OVER (PARTITION BY g ORDER BY COUNT(*) DESC) <= 2 AS lead FROM t GROUP BY m, g ORDER BY g, lead",
    "SELECT DISTINCT ON (g) g, m, COUNT(*) AS n FROM t GROUP BY g, m ORDER BY g, n DESC, m",
  ])("%s", expectWhole);
});

describe("a SELECT over an answer", () => {
  it.each([
    "WITH monthly AS (SELECT m, SUM(x) AS total FROM t GROUP BY m), lagged AS (SELECT m, total, LAG(total) OVER (ORDER BY m) AS before FROM monthly) SELECT m, total / before - 1 AS growth FROM lagged WHERE before IS NOT NULL ORDER BY growth DESC",
    "WITH ranked AS (SELECT m, g, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY m ORDER BY COUNT(*) DESC, g) AS rn FROM t GROUP BY m, g) SELECT m, g, n FROM ranked WHERE rn <= 3 ORDER BY m, rn",
    "SELECT * FROM (SELECT m, g, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY m ORDER BY COUNT(*) DESC, g) AS rn FROM t GROUP BY m, g) AS ranked WHERE rn <= 3 ORDER BY m, rn",
    "WITH kept AS (SELECT m, g, x FROM t WHERE x >= 20), sums AS (SELECT m, g, SUM(x) AS s, COUNT(*) AS n FROM kept GROUP BY m, g), shares AS (SELECT m, g, s, s / SUM(s) OVER (PARTITION BY m) AS share FROM sums) SELECT g, AVG(share) AS mean_share, MAX(s) AS top FROM shares GROUP BY g ORDER BY g",
    `${c} SELECT m, SUM(CASE WHEN g = 'a' THEN n END) AS a, SUM(CASE WHEN g = 'b' THEN n ELSE 0 END) AS b, SUM(n) FILTER (WHERE g IS NULL) AS none, MAX(CASE WHEN g = 'c' THEN n END) AS c FROM c GROUP BY m ORDER BY m`,
    `${c} SELECT DISTINCT m % 4 AS k, n > 15 AS big FROM c`,
    `${c} SELECT g, 'n' AS what, n AS v FROM c WHERE m = 1 UNION ALL SELECT g, 's', s FROM c WHERE m = 1 ORDER BY what, g`,
    `${c} (SELECT m, g, n FROM c ORDER BY n DESC, m, g LIMIT 3) UNION ALL (SELECT m, g, n FROM c ORDER BY n, m, g LIMIT 3)`,
    `${c} SELECT g, n FROM c WHERE m = 1 UNION ALL SELECT g, n FROM c WHERE m = 2 UNION SELECT g, n FROM c WHERE m = 1`,
    `${c} SELECT g, SUM(n) AS n FROM (SELECT g, n FROM c WHERE m < 4 UNION ALL SELECT g, -n FROM c WHERE m >= 4) u GROUP BY g ORDER BY g`,
    "WITH k AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT cur.m, cur.n - prev.n AS diff FROM k cur JOIN k prev ON cur.m = prev.m + 1 ORDER BY cur.m",
    "WITH k AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT cur.m, cur.n, prev.n AS pn FROM k AS cur LEFT JOIN k AS prev ON prev.m = cur.m - 1 ORDER BY 1",
    `${c}, tot AS (SELECT m, SUM(n) AS total FROM c GROUP BY m) SELECT m, g, n * 1.0 / total AS share FROM c JOIN tot USING (m) ORDER BY m, g`,
    `${c}, tot AS (SELECT SUM(n) AS w FROM c) SELECT m, g, n / w AS share, n / (SELECT w FROM tot) AS same FROM c, tot ORDER BY m, g`,
    `${c} SELECT m, g, x.n, y.n, z.n FROM c x JOIN c y USING (m, g) JOIN c z USING (m, g) ORDER BY m, g`,
    `${c} SELECT x.m, x.g, y.g AS yg, y.n FROM c x RIGHT JOIN c y ON x.m = y.m AND x.g = 'a' AND y.n > 18 ORDER BY y.m, y.g, x.m`,
    `${c} SELECT x.m, y.m AS ym FROM (SELECT m, n FROM c WHERE g = 'a') x FULL JOIN (SELECT m, n FROM c WHERE g = 'b') y ON x.n = y.n ORDER BY x.m, y.m`,
    `${c} SELECT m, x.n, y.n AS yn FROM (SELECT m, n FROM c WHERE g = 'b' AND n > 18) x RIGHT JOIN (SELECT m, n FROM c WHERE g = 'a') y USING (m) ORDER BY m`,
    `${c} SELECT x.g, y.g AS h, SUM(x.n * y.n) AS s FROM c x JOIN c y USING (m) WHERE x.g < y.g GROUP BY x.g, h ORDER BY 1, 2`,
    "WITH k AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT m, n, n / (SELECT SUM(n) FROM k) AS share FROM k WHERE n > (SELECT AVG(n) FROM k) ORDER BY share DESC, m",
    `${c} SELECT m, SUM(n - (SELECT AVG(n) FROM c)) AS dev, COUNT(*) FILTER (WHERE n > (SELECT AVG(n) FROM c)) AS k FROM c GROUP BY m HAVING SUM(n) > (SELECT SUM(n) / 15 FROM c) ORDER BY m`,
    `${c} SELECT n > (SELECT AVG(n) FROM c) AS above, COUNT(*) AS k FROM c GROUP BY above ORDER BY above`,
    `${c} SELECT m, g, SUM(n - (SELECT AVG(n) FROM c)) OVER (PARTITION BY g ORDER BY m) AS dev FROM c ORDER BY g, m`,
    `${c} SELECT (SELECT COUNT(*) FROM c WHERE n > 17) AS k, (SELECT SUM(n) FROM c WHERE g = 'zzz') AS none, COUNT(*) AS z FROM c`,
    "SELECT top.g, top.n FROM (SELECT mid.g, mid.n, RANK() OVER (ORDER BY mid.n DESC) AS r FROM (SELECT low.g, COUNT(*) AS n FROM (SELECT g, x FROM t WHERE x > 10) AS low GROUP BY low.g) AS mid) AS top WHERE top.r <= 2",
    "SELECT AVG(k) AS a FROM (SELECT m, COUNT(*) AS k FROM (SELECT m, g FROM (SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g) p WHERE n > 20) q GROUP BY m) r",
    "SELECT AVG(n), COUNT(*) FROM (SELECT m, COUNT(*) AS n FROM t GROUP BY m HAVING COUNT(*) > 80 ORDER BY n DESC, m LIMIT 5) q",
    "WITH k AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT CASE WHEN n > 85 THEN 'high' ELSE 'low' END AS band, COUNT(*) AS months, SUM(n) AS n FROM k GROUP BY band ORDER BY band",
    "WITH b AS (SELECT m, g, COUNT(*) AS n, COUNT(*) > 21 AS big FROM t GROUP BY m, g) SELECT big, MIN(g) AS lo, MAX(g) AS hi, SUM(n) AS s, SUM(SUM(n)) OVER (ORDER BY big) AS run FROM b GROUP BY big ORDER BY big DESC",
    "WITH r AS (SELECT m, g, COUNT(*) AS n, RANK() OVER (PARTITION BY g ORDER BY COUNT(*) DESC, m) AS r FROM t GROUP BY m, g) SELECT a.g, a.m, b.m AS m2, a.n - b.n AS gap FROM r a JOIN r b ON a.g = b.g AND a.r = 1 AND b.r = 2 ORDER BY a.g",
    "WITH daily AS (SELECT d, COUNT(*) AS n FROM t GROUP BY d) SELECT d, n FROM daily WHERE d BETWEEN DATE '2024-02-01' AND '2024-02-10' AND n >= 9 ORDER BY d",
    "SELECT g, COUNT(*) AS wins FROM (SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g QUALIFY ROW_NUMBER() OVER (PARTITION BY m ORDER BY COUNT(*) DESC, g) = 1) p GROUP BY g HAVING COUNT(*) > 1 QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 3 ORDER BY g",
    `${c} SELECT m % 2 AS k, g, SUM(n) AS n, RANK() OVER (PARTITION BY k ORDER BY SUM(n) DESC) AS r FROM c GROUP BY k, g QUALIFY r <= 2 ORDER BY k, r, g`,
    `${c} SELECT g, m, n FROM c QUALIFY n = MAX(n) OVER (PARTITION BY g) ORDER BY g, m`,
    `${c}, u AS (SELECT m, n FROM c UNION ALL SELECT m, s FROM c ORDER BY n DESC, m LIMIT 5) SELECT SUM(n) AS s, COUNT(*) AS k FROM u`,
    `${c} SELECT m, x.n, y.n AS yn, z.n AS zn FROM (SELECT m, n FROM c WHERE g = 'a' AND m < 3) x RIGHT JOIN (SELECT m, n FROM c WHERE g = 'b' AND m < 5) y USING (m) LEFT JOIN (SELECT m, n FROM c WHERE g = 'c') z USING (m) ORDER BY m`,
    "WITH k AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m), top AS (SELECT m FROM k ORDER BY n DESC, m LIMIT 3) SELECT CASE WHEN top.m IS NULL THEN 'other' ELSE 'top' END AS what, SUM(k.n) AS n FROM k LEFT JOIN top ON k.m = top.m GROUP BY 1 ORDER BY 1",
    "WITH a AS (SELECT EXTRACT(month FROM d) AS mo, g, SUM(x) AS s FROM t GROUP BY 1, 2) SELECT mo, g, s, s * 100.0 / FIRST_VALUE(s) OVER (PARTITION BY g ORDER BY mo) AS idx FROM a ORDER BY g, mo",
    "WITH w AS (SELECT date_trunc('week', d) AS w, COUNT(*) AS n FROM t GROUP BY 1) SELECT w, n, n - LAG(n) OVER (ORDER BY w) AS dn FROM w ORDER BY w",
    `${c} SELECT DISTINCT ON (m % 3) m, g, n FROM c ORDER BY m % 3, n DESC, m, g LIMIT 2`,
  ])("%s", expectWhole);
});

describe("names", () => {
  it.each([
    "SELECT g AS label, COUNT(*) AS g, RANK() OVER (ORDER BY COUNT(*) DESC, t.g NULLS LAST) AS r FROM t GROUP BY t.g",
    "SELECT d AS day, COUNT(*) AS d, AVG(COUNT(*)) OVER (ORDER BY d ROWS 6 PRECEDING) AS w FROM t GROUP BY t.d ORDER BY day",
    "SELECT m AS g, g AS m, RANK() OVER (ORDER BY COUNT(*) DESC, t.m, t.g NULLS LAST) AS r FROM t GROUP BY t.m, t.g ORDER BY r",
    "SELECT m AS k, g, COUNT(*) AS m, SUM(COUNT(*)) OVER (PARTITION BY m) AS s FROM t GROUP BY t.m, t.g",
    "SELECT COALESCE(g, 'a') AS g, SUM(x) AS s, SUM(SUM(x)) OVER (PARTITION BY g) AS of_g FROM t GROUP BY t.g",
    "SELECT m % 3 AS m, SUM(x) AS s, SUM(SUM(x)) OVER (PARTITION BY m) AS p FROM t GROUP BY t.m",
    "SELECT CASE WHEN g = 'a' THEN 'a' ELSE 'rest' END AS g, m, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION BY g) AS s FROM t GROUP BY t.g, m",
    "SELECT m AS x, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY m) AS m FROM t GROUP BY t.m ORDER BY x",
    "SELECT m, COUNT(*) AS n FROM t GROUP BY m QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, m) <= 5 AND m > 3 ORDER BY m",
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT m, n, ROW_NUMBER() OVER (ORDER BY n DESC, m) AS r FROM a QUALIFY r <= 5 AND m > 3 ORDER BY r",
    "SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g QUALIFY COUNT(*) = MAX(COUNT(*)) OVER (PARTITION BY g) AND m < 9 ORDER BY g, m",
    "SELECT m, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY m QUALIFY r <= 3 ORDER BY r, m",
    "SELECT m, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, m) AS rn FROM t GROUP BY m HAVING COUNT(*) > 10 QUALIFY (rn = 1 OR rn = 3) ORDER BY -rn",
    "SELECT m, COUNT(*) AS n, n * 1.0 / SUM(n) OVER () AS share FROM t GROUP BY m ORDER BY -n, m",
    "SELECT m, COUNT(*) AS n, LAG(COUNT(*)) OVER (ORDER BY m) AS p, n - p AS diff FROM t GROUP BY m ORDER BY m",
    "SELECT m, COUNT(*) AS n FROM t GROUP BY m ORDER BY SUM(SUM(x)) OVER (ORDER BY COUNT(*), m) DESC LIMIT 4",
    "SELECT 'all' AS label, m, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS s FROM t GROUP BY 1, 2 ORDER BY m",
    "WITH a(p, u, v) AS (SELECT g, COUNT(*) AS v, SUM(x) AS u FROM t GROUP BY g) SELECT z.q, z.u, z.v FROM a AS z(q)",
    `${c} SELECT g, m, n FROM c WHERE m > 3 QUALIFY n = MAX(n) OVER (PARTITION BY g) AND m < 9`,
    `${c} SELECT g, SUM(n) AS s, RANK() OVER (ORDER BY SUM(n)) AS n FROM c GROUP BY g HAVING SUM(n) > 250 ORDER BY g`,
    `${c} SELECT g, SUM(s) AS total, RANK() OVER (ORDER BY SUM(s) DESC) AS s FROM c WHERE g IS NOT NULL GROUP BY g HAVING SUM(s) < 13000 ORDER BY g`,
    `${c} SELECT DISTINCT ON (g) g, m, n FROM c ORDER BY 1, 3 DESC, 2`,
    `${c} SELECT DISTINCT ON (1) g, m, n FROM c ORDER BY g, n DESC, m`,
    `${c} SELECT DISTINCT ON (g) g, m, -n AS n FROM c ORDER BY g, n, m`,
    `${c} SELECT * FROM c x RIGHT JOIN c y USING (m, g) WHERE m = 1 AND g IS NOT NULL`,
    `${c} SELECT g FROM c GROUP BY g ORDER BY SUM(n) DESC, g NULLS LAST`,
    `${c} SELECT m, g FROM c ORDER BY LAG(n) OVER (ORDER BY m, g NULLS LAST), m, g NULLS LAST`,
    `${c} SELECT g, SUM(n) AS n FROM c GROUP BY ALL ORDER BY g NULLS LAST`,
    // A column of the list may have the name of another column.
    "SELECT m, SUM(x) AS x, RANK() OVER (ORDER BY SUM(x) DESC) AS r FROM t GROUP BY m ORDER BY m",
    "SELECT m, AVG(x) AS x, AVG(x) - LAG(AVG(x)) OVER (ORDER BY m) AS diff FROM t GROUP BY m ORDER BY m",
    "SELECT COALESCE(g, 'none') AS g, COUNT(*) AS n, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS pct FROM t GROUP BY 1 ORDER BY 1",
    `${c} SELECT n AS m, m AS n, ROW_NUMBER() OVER (ORDER BY m) AS r FROM c WHERE g = 'a' AND m > 3 ORDER BY r`,
    `${c} SELECT m AS g, SUM(n) AS n FROM c GROUP BY m HAVING n > 80 ORDER BY g`,
    `${c} SELECT g AS m, SUM(n) AS n, RANK() OVER (ORDER BY g) AS r FROM c GROUP BY g ORDER BY r`,
    `${c} SELECT m, g, -n AS n FROM c ORDER BY n, m, g`,
    // Names that are made up where none is written.
    'SELECT m AS part, COUNT(*) AS part_2, SUM(x) - LAG(SUM(x)) OVER (ORDER BY m) AS "sum", RANK() OVER (ORDER BY SUM(y)) AS "order" FROM t GROUP BY m ORDER BY part',
    'WITH c AS (SELECT m AS "sum", g AS "group", COUNT(*) AS "lag" FROM t GROUP BY m, g) SELECT "group", SUM("lag") AS subquery, SUM("sum" % 2) AS place FROM c GROUP BY "group" ORDER BY SUM("lag") DESC, "group"',
    // Case, and what needs quotes.
    'SELECT "Month", "Month" + 1 AS "next Month", N FROM (SELECT m AS "Month", COUNT(*) AS n FROM t GROUP BY m) AS Z WHERE z.N > 60 ORDER BY "Month"',
    "select M, g, count(*) as N, sum(Count(*)) over (Partition By G order by M) as run from T group by m, G order by G, m",
    "WITH Answer AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m), unused AS (SELECT SUM(x) FROM t) SELECT *, n * 2 AS n2 FROM ANSWER ORDER BY 2 DESC, m",
    // The names of WITH, as SQL scopes them.
    "WITH t AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT m, n FROM t WHERE n > 80",
    "WITH t AS (SELECT m, g, x FROM t WHERE x > 30), u AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT m, n, LAG(n) OVER (ORDER BY m) AS p FROM u ORDER BY m",
    `${c}, d AS (SELECT * FROM c WHERE m > 6) SELECT m, g, n / (SELECT SUM(n) FROM c) AS share, n / (SELECT SUM(n) FROM d) AS dshare FROM d ORDER BY m, g`,
    `${c} SELECT m, g, n, (SELECT SUM(n) FROM c) AS w FROM (SELECT * FROM c WHERE m > 6) c ORDER BY m, g`,
    `${c} SELECT m, g, (WITH c AS (SELECT 1 AS n FROM c) SELECT SUM(n) FROM c) AS k FROM c ORDER BY m, g`,
    `${c}, d AS (SELECT m, n FROM c WHERE g = 'a') SELECT q.m, q.n FROM (WITH c AS (SELECT 1 AS z FROM d) SELECT m, n FROM d) q ORDER BY m`,
    `${c}, d AS (SELECT m, n FROM c WHERE g = 'a') SELECT z, n FROM (WITH c AS (SELECT m AS z, n + 1 AS n FROM d) SELECT z, n FROM c) q ORDER BY z`,
    // A bare name in a subquery is the subquery's own column.
    `${c} SELECT g, m, (SELECT MAX(n) FROM c b WHERE b.g = g) AS mx FROM c ORDER BY m, g`,
    "WITH k(p, u, v) AS (SELECT m, COUNT(*) AS v, SUM(x) AS u FROM t GROUP BY m) SELECT p, u, v FROM k ORDER BY p",
  ])("%s", expectWhole);
});

it("whatever is asked of groups and their windows", async () => {
  await fc.assert(
    fc.asyncProperty(wholeQuestion, async (text) => {
      const { rows } = await withoutNoise(text, connection);
      expect(written(text, rows), text).toEqual(written(text, await asked(text, connection)));
    }),
    { numRuns: 100, seed: 7, endOnFailure: true },
  );
});

describe("the private question", () => {
  /** What is computed of private rows, and its price: all but the text and the columns that are shown. */
  const measured = ({ text: _, over: __, outputs: ___, post: ____, aggregates, ...rest }: Plan) => ({
    ...rest,
    aggregates: aggregates.map(({ name: _, ...aggregate }) => aggregate),
  });

  it.each([
    [
      "SELECT g, COUNT(*) AS n FROM t GROUP BY g",
      "SELECT g, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share FROM t GROUP BY g",
    ],
    [
      "SELECT m, g, COUNT(*) AS n, SUM(x) AS s FROM t WHERE y > 3 GROUP BY m, g HAVING COUNT(*) > 3",
      "SELECT m, g, COUNT(*) AS n, SUM(x) AS s, RANK() OVER (PARTITION BY m ORDER BY SUM(x)) AS r FROM t WHERE y > 3 GROUP BY m, g HAVING COUNT(*) > 3 QUALIFY RANK() OVER (ORDER BY COUNT(*)) < 5",
    ],
    [
      "SELECT m, AVG(x) FROM t GROUP BY m",
      "SELECT m, AVG(x) - LAG(AVG(x)) OVER (ORDER BY m) AS change FROM t GROUP BY m ORDER BY change LIMIT 3",
    ],
  ])("costs what %s costs, and measures the same: %s", async (alone, text) => {
    expect(measured(await planOver(text))).toEqual(measured(await planOver(alone)));
  });

  it.each([
    "SELECT m, g, COUNT(*) AS n, SUM(x) AS s FROM t GROUP BY m, g",
    "SELECT m, g, COUNT(*) AS n, SUM(x) AS s FROM t WHERE x > 20 GROUP BY m, g HAVING COUNT(*) > 5 ORDER BY n DESC LIMIT 9",
  ])("is asked as it stands: %s", async (alone) => {
    const { text: _, ...plan } = await planOver(alone);
    for (const outer of [
      "SELECT * FROM c",
      "SELECT g, SUM(n) AS n FROM c WHERE m > 2 GROUP BY g",
      "SELECT a.m, a.n - b.n AS diff FROM c a JOIN c b ON a.m = b.m + 1",
      "SELECT m, n / (SELECT SUM(n) FROM c) AS share FROM c UNION ALL SELECT m, s FROM c",
    ]) {
      const { text, over, ...whole } = await planOver(`WITH c AS (${alone}) ${outer}`);
      expect(over, text).toBeDefined();
      expect(whole, text).toEqual(plan);
    }
  });
});

describe("never", () => {
  const refusal = async (text: string, plan: (text: string) => Promise<Plan>): Promise<string> => {
    try {
      const { over, outputs } = await plan(text);
      return `answered: ${JSON.stringify({ over, outputs })}`;
    } catch (error) {
      if (error instanceof LetheError) return error.code;
      throw error;
    }
  };

  it.each([
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT a.m, MAX(r.x) FROM a JOIN (SELECT m, x FROM t) r ON r.m = a.m GROUP BY a.m",
    // Private rows beside an answer.
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT t.x, a.n FROM t JOIN a ON t.m = a.m",
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT a.m, (SELECT MAX(x) FROM t WHERE t.m = a.m) AS mx FROM a",
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT x FROM t UNION ALL SELECT n FROM a",
    "WITH a AS (SELECT x, COUNT(*) AS n FROM t GROUP BY x) SELECT g, COUNT(*) FROM t WHERE x IN (SELECT x FROM a WHERE n > 9) GROUP BY g",
    "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m) SELECT g, COUNT(*) FROM t WHERE x > (SELECT n FROM a) GROUP BY g",
    // Windows over private rows.
    "SELECT m, x, AVG(x) OVER (PARTITION BY m) FROM t",
    "SELECT x, y FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY x) = 1",
    "SELECT COUNT(*) FROM (SELECT m, x FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY m ORDER BY x) = 1) q",
    "WITH r AS (SELECT m, x, ROW_NUMBER() OVER (ORDER BY x) AS rn FROM t) SELECT m, COUNT(*) FROM r WHERE rn < 10 GROUP BY m",
    "SELECT g, COUNT(*), SUM(x) OVER (PARTITION BY g) FROM t GROUP BY g",
    "SELECT g, COUNT(*), FIRST_VALUE(x) OVER (ORDER BY COUNT(*)) FROM t GROUP BY g",
    "SELECT x FROM t",
    // What has another meaning in a subquery than would be read here.
    `${c} SELECT m, n FROM c WHERE n > (SELECT AVG(b.n) FROM c b WHERE b.g = c.g)`,
    `${c} SELECT m, n, RANK() OVER (ORDER BY n) AS r FROM c WHERE r <= 3`,
  ])("%s", async (text) => {
    expect(await refusal(text, planOver)).toMatch(/^query\./);
  });

  const ofPeople = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  t:
    file: t.csv
    unit: pid
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    columns:
      pid: { type: integer }
      m: { type: integer, bounds: [1, 12], default: 1 }
      g: { type: text, categories: [a, b, c], default: a }
      x: { type: integer, bounds: [0, 100], default: 0 }
`);
  const planOfPeople = (text: string): Promise<Plan> =>
    planned(text, ofPeople, { delta: parseRational("1e-7") });

  it.each([
    "SELECT pid, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY pid",
    "SELECT RANK() OVER (ORDER BY COUNT(*) DESC) AS r, COUNT(*) AS n FROM t GROUP BY pid",
    "WITH c AS (SELECT pid, COUNT(*) AS n FROM t GROUP BY pid) SELECT pid, n FROM c WHERE n > 3",
    "WITH c AS (SELECT pid, COUNT(*) AS n FROM t GROUP BY pid) SELECT pid AS who, n, RANK() OVER (ORDER BY n) FROM c",
    "WITH c AS (SELECT pid, g, COUNT(*) AS n FROM t GROUP BY pid, g) SELECT pid, MAX(n) FROM c GROUP BY pid",
    "WITH c AS (SELECT pid, COUNT(*) AS n FROM t GROUP BY pid) SELECT AVG(n) AS a, (SELECT MAX(n) FROM c) AS mx FROM c",
    "SELECT g, MIN(pid) AS who, RANK() OVER (ORDER BY COUNT(*)) FROM t GROUP BY g",
    "SELECT g, COUNT(*), FIRST_VALUE(pid) OVER (ORDER BY COUNT(*)) FROM t GROUP BY g",
    "SELECT g, COUNT(*) FROM t GROUP BY g QUALIFY FIRST_VALUE(pid) OVER (ORDER BY COUNT(*)) = 7",
    "SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY RANK() OVER (ORDER BY MAX(pid))",
    "SELECT DISTINCT pid FROM t",
    "SELECT DISTINCT ON (g) pid, g, COUNT(*) FROM t GROUP BY pid, g",
    "SELECT COUNT(*) FROM (SELECT pid, x FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY pid ORDER BY x) = 1) q",
  ])("a unit: %s", async (text) => {
    expect(await refusal(text, planOfPeople)).toMatch(/^query\./);
  });

  it.each([
    "WITH c AS (SELECT pid, COUNT(*) AS n FROM t GROUP BY pid), a AS (SELECT n, COUNT(*) AS k FROM c WHERE n <= 3 GROUP BY n) SELECT n, k, SUM(k) OVER (ORDER BY n) AS run FROM a",
    "SELECT g, COUNT(DISTINCT pid) AS n, RANK() OVER (ORDER BY COUNT(DISTINCT pid) DESC) AS r FROM t GROUP BY g",
    "WITH t AS (SELECT pid, g FROM t WHERE x > 50) SELECT g, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*)) AS r FROM t GROUP BY g",
  ])("but values of units, added up: %s", async (text) => {
    expect((await planOfPeople(text)).over).toBeDefined();
  });
});
