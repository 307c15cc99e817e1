import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { isEstimate } from "@lethe/gateway";
import { byName, type Plan, questionsOf } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawnNoise, uniforms } from "../drawn-noise.ts";
import { answerOver, type IntegerOf, planOver } from "./planned-over.ts";
import { asked, makeTable, withoutNoise, written } from "./whole-table.ts";

/*
 * A text may ask several private questions and put their answers together. Without noise that returns what DuckDB returns for the whole text.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await makeTable(connection);
});
afterAll(() => connection.closeSync());

const monthly = "SELECT m, COUNT(*) AS n FROM t GROUP BY m";
const grouped = "SELECT m, g, COUNT(*) AS n, SUM(x) AS s FROM t WHERE g IS NOT NULL GROUP BY m, g";

describe("answers put together are what DuckDB makes of the whole text", () => {
  it.each([
    [
      "SELECT 1 AS step, 'all' AS label, COUNT(*) AS n FROM t UNION ALL SELECT 2, 'a', COUNT(*) FROM t WHERE g = 'a' UNION ALL SELECT 3, 'much', COUNT(*) FROM t WHERE x > 50 ORDER BY step",
      3,
    ],
    [
      "SELECT 'x' AS what, AVG(x) AS mean, STDDEV_SAMP(x) AS sd FROM t UNION ALL SELECT 'y', AVG(y), STDDEV_SAMP(y) FROM t",
      2,
    ],
    [
      "WITH f AS (SELECT 1 AS step, COUNT(*) AS n FROM t UNION ALL SELECT 2, COUNT(*) FROM t WHERE x > 20) SELECT step, n, n * 1.0 / FIRST_VALUE(n) OVER (ORDER BY step) AS of_first FROM f ORDER BY step",
      2,
    ],
    [
      "SELECT g, COUNT(*) AS n, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM t) AS share FROM t GROUP BY g ORDER BY g",
      2,
    ],
    [
      `WITH a AS (${monthly}), b AS (SELECT m, SUM(x) AS s FROM t WHERE x > 30 GROUP BY m) SELECT a.m, a.n, COALESCE(b.s, 0) AS s, b.s / a.n AS per FROM a LEFT JOIN b ON b.m = a.m ORDER BY a.m`,
      2,
    ],
    [
      `WITH a AS (${monthly}), b AS (SELECT COUNT(DISTINCT m) AS k FROM t) SELECT AVG(n) / MAX(k) AS v FROM a CROSS JOIN b`,
      2,
    ],
    [
      `WITH a AS (${monthly}), b AS (SELECT m, COUNT(*) AS k FROM t WHERE x > 60 GROUP BY m HAVING m > 3) SELECT a.m AS am, b.m AS bm, n, k FROM a FULL JOIN b ON a.m = b.m + 2 ORDER BY am, bm`,
      2,
    ],
    [
      `WITH a AS (${monthly}) SELECT m, n FROM a WHERE n > (SELECT AVG(n) FROM a) AND n > (SELECT COUNT(*) / 13 FROM t) ORDER BY m`,
      2,
    ],
    ["SELECT g, SUM(x) AS s FROM t GROUP BY g HAVING SUM(x) > (SELECT SUM(x) / 5 FROM t) ORDER BY g", 2],
    [
      `WITH a AS (${grouped}), b AS (${monthly}), c AS (SELECT m, SUM(a.s) AS s, MAX(b.n) AS n FROM a JOIN b USING (m) GROUP BY m) SELECT m, s / n AS v, RANK() OVER (ORDER BY s / n DESC) AS r FROM c ORDER BY m`,
      2,
    ],
    [
      "WITH a AS (SELECT g, COUNT(*) AS n FROM t GROUP BY g), b AS (SELECT g, SUM(x) AS n FROM t GROUP BY g) SELECT g FROM a WHERE g <> 'a' INTERSECT SELECT g FROM b WHERE n > 10",
      2,
    ],
    [
      "WITH a AS (SELECT m, COUNT(*) AS n FROM t GROUP BY m), b AS (SELECT m, SUM(x) AS n FROM t GROUP BY m) (SELECT m FROM a WHERE n > 0) EXCEPT (SELECT m FROM b WHERE m > 4) ORDER BY m",
      2,
    ],
    [
      "SELECT v.label, a.n FROM (VALUES ('a', 'first'), ('b', 'second'), ('q', 'none')) v(g, label) LEFT JOIN (SELECT g, COUNT(*) AS n FROM t GROUP BY g) a ON a.g = v.g ORDER BY v.label",
      1,
    ],
    [
      `WITH goal(m, due) AS (VALUES (1, 70), (2, -80), (3, NULL)), a AS (${monthly}) SELECT a.m, n - due AS over FROM a JOIN goal ON goal.m = a.m ORDER BY a.m`,
      1,
    ],
    [`WITH a AS (${monthly}) SELECT m, n FROM a UNION ALL SELECT 13, 0 ORDER BY m`, 1],
    // Values of answers in the questions behind them.
    ["SELECT COUNT(*) AS n, SUM(y) AS s FROM t WHERE x > (SELECT AVG(x) FROM t)", 2],
    [
      "SELECT g, COUNT(*) AS n FROM t WHERE x < 0.5 * (SELECT AVG(x) FROM t WHERE g = 'b') AND g IS NOT NULL GROUP BY g ORDER BY g",
      2,
    ],
    ["SELECT AVG(CASE WHEN x > (SELECT AVG(x) FROM t) THEN 1.0 ELSE 0.0 END) AS above FROM t", 2],
    [
      "SELECT CASE WHEN x > (SELECT AVG(x) FROM t) THEN 'high' ELSE 'low' END AS level, COUNT(*) AS n, AVG(y) AS a FROM t GROUP BY 1 ORDER BY 1",
      2,
    ],
    [
      "WITH s AS (SELECT AVG(x) AS a, STDDEV_SAMP(x) AS d FROM t) SELECT m, COUNT(*) AS n FROM t CROSS JOIN s WHERE x > s.a + s.d GROUP BY m ORDER BY m",
      2,
    ],
    ["SELECT COUNT(*) AS n FROM t JOIN (SELECT AVG(y) AS a FROM t) s ON t.y > s.a", 2],
    ["SELECT COUNT(*) AS n FROM t WHERE x > (SELECT AVG(x) FROM t WHERE x > (SELECT AVG(x) FROM t))", 3],
    [
      `WITH a AS (${monthly}) SELECT g, COUNT(*) AS n FROM t WHERE x > (SELECT MAX(n) / 3 FROM a) AND g IS NOT NULL GROUP BY g ORDER BY g`,
      2,
    ],
    [
      `SELECT g, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t WHERE g IS NOT NULL AND m = (SELECT m FROM t GROUP BY m ORDER BY COUNT(*) DESC, m LIMIT 1) GROUP BY g ORDER BY g`,
      2,
    ],
    [
      `SELECT g, COUNT(*) AS n FROM t WHERE g IS NOT NULL AND m IN (SELECT m FROM t GROUP BY m ORDER BY COUNT(*) DESC, m LIMIT 3) GROUP BY g ORDER BY g`,
      2,
    ],
    [`WITH a AS (${monthly}) SELECT COUNT(*) AS n FROM t WHERE m NOT IN (SELECT m FROM a WHERE n > 90)`, 2],
    [
      `SELECT COUNT(*) AS n FROM t WHERE g NOT IN (SELECT g FROM t WHERE g IS NOT NULL GROUP BY g ORDER BY COUNT(*), g LIMIT 1)`,
      2,
    ],
    // One question, however it is written.
    ["SELECT COUNT(*) AS n FROM t UNION ALL SELECT COUNT(*) AS k FROM t", 1],
    [
      `WITH a AS (${monthly}), b AS (SELECT m AS month, COUNT(*) AS k FROM t GROUP BY m) SELECT a.m, a.n - b.k AS none FROM a JOIN b ON a.m = b.month ORDER BY a.m`,
      1,
    ],
    [
      `WITH a AS (${monthly}) SELECT x.m, x.n, y.n AS next FROM a x LEFT JOIN a y ON y.m = x.m + 1 ORDER BY x.m`,
      1,
    ],
    [
      "SELECT (SELECT COUNT(*) FROM t WHERE g = 'a') * 1.0 / (SELECT COUNT(*) FROM t WHERE x > 10) AS ratio",
      2,
    ],
    [
      "SELECT a.n, b.n AS k FROM (SELECT COUNT(*) AS n FROM t) a, (SELECT COUNT(*) AS n FROM t WHERE x > 10) b",
      2,
    ],
    [
      "SELECT k.m, COUNT(*) AS c FROM (SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g) k JOIN (SELECT m, SUM(x) AS s FROM t GROUP BY m) l ON l.m = k.m WHERE l.s > 0 GROUP BY k.m ORDER BY k.m",
      2,
    ],
  ] as const)("%s", async (text, questions) => {
    const { plan, rows } = await withoutNoise(text, connection);
    expect(questionsOf(plan)).toHaveLength(questions);
    const theirs = written(text, await asked(text, connection));
    expect(theirs.length).toBeGreaterThan(0);
    expect(written(text, rows)).toEqual(theirs);
  });
});

// 1,000 draws: a coverage of 0.95 falls below 0.912 with a chance under 1e-6 (5.5 standard deviations).
const [runs, alarm] = [1000, 0.912];
const text = `
WITH a AS (SELECT COUNT(*) AS n FROM t WHERE x > 10), b AS (SELECT COUNT(*) AS n, SUM(y) AS s FROM t WHERE x < 80)
SELECT a.n - b.n AS difference, a.n * 1.0 / b.n AS ratio, a.n + 2 * b.n AS total, s / a.n AS mean FROM a CROSS JOIN b`;

async function coverage(inflate: number): Promise<ReadonlyMap<string, number>> {
  const plan = await planOver(text);
  const sizes = [400, 700];
  const exact =
    (of: Plan, at: number): IntegerOf =>
    (name) =>
      byName(of.measurements, name).terms.reduce((total, { sum, coefficient }) => {
        const { kind } = byName(of.sums, sum);
        return total + BigInt(coefficient) * BigInt((kind === "count" ? 1 : 60) * (sizes[at] ?? 0));
      }, 0n);
  const uniform = uniforms(88172645463325252n);
  const noisy =
    (of: Plan, at: number): IntegerOf =>
    (name, group) =>
      exact(of, at)(name, group) + drawnNoise(byName(of.measurements, name).noise, uniform, inflate);
  const [own, ...others] = questionsOf(plan);
  if (!own) throw new Error("the text asks two questions");
  const answered = (integers: typeof exact) =>
    answerOver(
      plan,
      integers(own, 0),
      0.95,
      others.map((other, at) => integers(other, at + 1)),
    ).over;
  const truth = answered(exact);
  const covered = new Map<string, number>();
  for (let run = 0; run < runs; run += 1) {
    const over = answered(noisy);
    over?.columns.forEach(({ name }, at) => {
      const [cell, due] = [over.rows[0]?.[at] ?? null, truth?.rows[0]?.[at] ?? null];
      if (!isEstimate(cell) || !isEstimate(due)) throw new Error(`${name} is no estimate`);
      expect(cell.lower, name).not.toBeNull();
      const isWithin = Number(cell.lower) <= Number(due.value) && Number(due.value) <= Number(cell.upper);
      if (isWithin) covered.set(name, (covered.get(name) ?? 0) + 1 / runs);
    });
  }
  return covered;
}

it("intervals of what several answers make cover as often as they say", async () => {
  const covered = await coverage(1);
  expect([...covered.keys()]).toEqual(["difference", "ratio", "total", "mean"]);
  for (const [name, share] of covered) expect(share, name).toBeGreaterThan(alarm);
});

it("and would cover less often were the noise half as large again", async () => {
  for (const [name, share] of await coverage(1.5)) expect(share, name).toBeLessThan(alarm);
});
