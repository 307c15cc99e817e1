import type { Dice } from "./dice.ts";

/* Questions over what one unit's rows come to: by hand for the table of ./differential-data.ts, by chance for that of ./random-neighbours.ts. */

const bounded = "contribution_bounds_per_row => (-1e6, 5e8)";

/** Questions over people of pid, wage, rate, age, grade, code, wild, town, sector, member, born, since, seen. */
export const groupedWithinUnits: readonly string[] = [
  `SELECT n, total, COUNT(*), SUM(total, ${bounded}), AVG(mean), SUM(EXTRACT(hour FROM last)), COUNT(DISTINCT pid) FROM (SELECT pid, COUNT(*) AS n, SUM(wage) AS total, AVG(wage) AS mean, MAX(seen) AS last FROM people GROUP BY pid) t GROUP BY n, total`,
  "SELECT least, most, sum, sums, COUNT(*), AVG(born - first) FROM (SELECT pid, MIN(town) AS least, MAX(wild) AS most, MIN(since) AS first, MIN(born) AS born, SUM(code), SUM(wild, contribution_bounds_per_row => (-1e15, 1e15)) AS sums FROM people WHERE age > 3 GROUP BY pid HAVING COUNT(*) > 1 AND COUNT(wage) < 4) t GROUP BY 1, 2, 3, 4",
  "SELECT sector, member, AVG(s), SUM(v) FROM (SELECT pid, sector, member, SUM(wage, contribution_bounds_per_group => (-20, 50)) AS s, COUNT(DISTINCT grade) AS v FROM people GROUP BY pid, sector, member) t GROUP BY 1, 2",
  `SELECT wild, AVG(r, ${bounded}) FROM (SELECT pid, wild, SUM(rate) / COUNT(age) AS r FROM people GROUP BY wild, pid) t GROUP BY wild`,
  "SELECT WIDTH_BUCKET(n, 0, 4, 2), MEDIAN(most), AVG(CASE WHEN n > 1 THEN LEAST(n, 9) END) FROM (SELECT pid, COUNT(DISTINCT wild) FILTER (WHERE age > 3) AS n, MAX(age * 2 - wage) AS most FROM people GROUP BY 1) t GROUP BY 1",
];

/** Questions with windows over the same table. */
export const windowedWithinUnits: readonly string[] = [
  "SELECT n, r, d, COUNT(*), SUM(wage) FROM (SELECT pid, wage, ROW_NUMBER() OVER (PARTITION BY pid ORDER BY wage DESC) AS n, RANK() OVER w AS r, DENSE_RANK() OVER w AS d FROM people WINDOW w AS (PARTITION BY pid, member ORDER BY grade NULLS FIRST, town DESC)) t WHERE n <= 3 GROUP BY 1, 2, 3",
  `SELECT first, last, AVG(age - before), COUNT(*), SUM(gap, ${bounded}) FROM (SELECT age, LAG(age) OVER (PARTITION BY pid ORDER BY since) AS before, LEAD(wild, 2) OVER (PARTITION BY pid ORDER BY seen DESC, wild) - wild AS gap, FIRST_VALUE(town) OVER (PARTITION BY pid ORDER BY wild) AS first, LAST_VALUE(grade) OVER (PARTITION BY pid ORDER BY member, age ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last FROM people) t GROUP BY 1, 2`,
  "SELECT s, so, least, COUNT(*), AVG(m), SUM(c), SUM(wage - mean) FROM (SELECT wage, SUM(code) OVER w AS s, SUM(wage) OVER (PARTITION BY pid ORDER BY age) AS so, MIN(town) OVER (PARTITION BY pid ORDER BY wild ROWS UNBOUNDED PRECEDING) AS least, AVG(wage) OVER (PARTITION BY pid) AS mean, AVG(rate) OVER (PARTITION BY pid ORDER BY seen ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS m, LEAST(COUNT(wage) OVER (PARTITION BY pid ORDER BY since DESC NULLS LAST ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING), 2) AS c FROM people WINDOW w AS (PARTITION BY pid, sector ORDER BY town ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)) t GROUP BY 1, 2, 3",
];

/** Questions whose rows look for other rows of the same unit, over the same table. */
export const lookedWithinUnits: readonly string[] = [
  "SELECT sector, COUNT(*), SUM(wage), COUNT(DISTINCT pid) FROM people p WHERE EXISTS (SELECT 1 FROM people q WHERE q.pid = p.pid AND q.wage > p.wage) AND pid NOT IN (SELECT pid FROM people WHERE town = 'a') GROUP BY 1",
  `SELECT member, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM people q WHERE q.pid = p.pid AND q.since < p.since)), AVG(CASE WHEN pid IN (SELECT pid FROM people GROUP BY pid HAVING COUNT(*) > 2) THEN wage ELSE rate END, ${bounded}) FROM people p WHERE grade = 2 OR NOT EXISTS (SELECT 1 FROM people q WHERE q.pid = p.pid AND q.wild > p.wild AND q.town <> p.town) GROUP BY 1`,
  "SELECT town, COUNT(*) FROM (SELECT pid, town FROM people WHERE member INTERSECT SELECT pid, town FROM people WHERE grade > 1) t GROUP BY 1",
  "SELECT COUNT(*), COUNT(DISTINCT pid) FROM (SELECT pid, sector, code FROM people EXCEPT (SELECT pid, sector, code FROM people WHERE age > 3 UNION SELECT pid, sector, 7 FROM people WHERE member)) t",
  "SELECT town, COUNT(*), AVG(wage) FROM (SELECT DISTINCT ON (pid, sector) pid, town, wage FROM people ORDER BY pid, sector, since DESC, wild) t GROUP BY 1",
  "SELECT dear, members, COUNT(*) FROM (SELECT pid, BOOL_OR(wage > 3) AS dear, BOOL_AND(member) FILTER (WHERE age > 3) AS members FROM people GROUP BY pid) t GROUP BY 1, 2",
  "SELECT p.sector, COUNT(DISTINCT q.pid), COUNT(q.pid), COUNT(DISTINCT CASE WHEN p.member THEN p.pid END), COUNT(*) FILTER (WHERE q.pid IS NULL) FROM people p LEFT JOIN people q ON q.pid = p.pid AND q.since > p.since GROUP BY 1",
];

const values: readonly (readonly [sql: string, type: "number" | "other"])[] = [
  ["COUNT(*)", "number"],
  ["COUNT(x)", "number"],
  ["COUNT(DISTINCT wild)", "number"],
  ["COUNT(DISTINCT sector) FILTER (WHERE x > 1)", "number"],
  ["SUM(x)", "number"],
  ["SUM(y - 20)", "number"],
  ["SUM(code)", "number"],
  ["SUM(n * 1000000007)", "number"],
  ["SUM(wild, contribution_bounds_per_row => (-1e15, 3))", "number"],
  ["SUM(wild * wild / y, contribution_bounds_per_group => (0, 100))", "number"],
  ["AVG(x)", "number"],
  ["AVG(wild, contribution_bounds_per_row => (-1e15, 1e15))", "number"],
  ["MIN(wild)", "number"],
  ["MAX(x / y) FILTER (WHERE member)", "number"],
  ["SUM(x) / COUNT(*)", "number"],
  ["MIN(town)", "other"],
  ["MAX(sector)", "other"],
  ["MAX(since)", "other"],
  ["MIN(seen)", "other"],
  ["COUNT(*) > 2", "other"],
];
const further = ["sector", "town", "member", "wild", "x", "CAST(x AS integer)", "DATE_TRUNC('month', since)"];
const filters = ["", " WHERE x > 0.3", " WHERE member", " WHERE NOT (sector = 'a' OR town LIKE '%a%')"];
const havings = ["", "", " HAVING COUNT(*) > 1", " HAVING a0 IS NOT NULL OR COUNT(x) < 2"];

/** Returns a random question about columns a0 … of a subquery, as a SELECT statement. */
export function questionAround(
  dice: Dice,
  from: string,
  columns: readonly (readonly [name: string, type: "number" | "other"])[],
): string {
  const measures = columns.flatMap(([name, type]) => [
    `COUNT(${name})`,
    `COUNT(DISTINCT ${name})`,
    ...(type === "other"
      ? []
      : [
          `SUM(${name}, contribution_bounds_per_row => (-2, 1e6))`,
          `AVG(${name}, contribution_bounds_per_row => (0, 7))`,
          `MEDIAN(${name}, contribution_bounds_per_row => (-4, 9))`,
        ]),
  ]);
  const chosen = new Set(["COUNT(*)", ...dice.some(1, 2, () => dice.one(measures))]);
  const keys = [...new Set(dice.some(0, 2, () => dice.one(columns)[0]))];
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, at) => at + 1).join(", ")}`;
  const [name, type] = dice.one(columns);
  const where = dice.below(3) > 0 ? "" : ` WHERE ${name}${type === "number" ? " > 1" : " IS NOT NULL"}`;
  const option = dice.below(3) === 0 ? ", mechanism = gaussian" : "";
  return `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1${option}) ${[...keys, ...chosen].join(", ")} FROM ${from}${where}${by}`;
}

/** Over people of pid, x, y, wild, n, code, sector, town, member, since, seen. */
export function randomGroupedQuestion(dice: Dice): string {
  const keys = dice.below(2) === 0 ? [] : [dice.one(further)];
  const chosen = dice.some(1, 3, () => dice.one(values));
  const shown = [
    ...keys.map((key, at) => `${key} AS b${at}`),
    ...chosen.map(([sql], at) => `${sql} AS a${at}`),
  ];
  const by = ["pid", ...keys].join(", ");
  const inner = `(SELECT pid, ${shown.join(", ")} FROM people${dice.one(filters)} GROUP BY ${by}${dice.one(havings)}) t`;
  const columns = [
    ...keys.map((_, at) => [`b${at}`, "other"] as const),
    ...chosen.map(([, type], at) => [`a${at}`, type] as const),
  ];
  return questionAround(dice, inner, columns);
}

const windows: readonly (readonly [sql: string, type: "number" | "other"])[] = [
  ["ROW_NUMBER() OVER (PARTITION BY pid ORDER BY x)", "number"],
  ["ROW_NUMBER() OVER (PARTITION BY pid, sector ORDER BY wild DESC, town)", "number"],
  ["RANK() OVER (PARTITION BY pid ORDER BY y)", "number"],
  ["DENSE_RANK() OVER (PARTITION BY pid ORDER BY town NULLS FIRST)", "number"],
  ["LAG(x) OVER (PARTITION BY pid ORDER BY seen)", "number"],
  ["wild - LEAD(wild, 2) OVER (PARTITION BY pid ORDER BY since DESC)", "number"],
  ["LAG(town, 3) OVER (PARTITION BY pid, member ORDER BY x)", "other"],
  ["FIRST_VALUE(since) OVER (PARTITION BY pid ORDER BY wild)", "other"],
  ["LAST_VALUE(n) OVER (PARTITION BY pid ORDER BY y ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)", "number"],
  ["COUNT(*) OVER (PARTITION BY pid)", "number"],
  ["COUNT(x) OVER (PARTITION BY pid ORDER BY sector)", "number"],
  ["SUM(x) OVER (PARTITION BY pid ORDER BY town ROWS 2 PRECEDING)", "number"],
  ["SUM(code) OVER (PARTITION BY pid, sector ORDER BY wild)", "number"],
  ["AVG(y) OVER (PARTITION BY pid ORDER BY x ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)", "number"],
  ["MIN(wild) OVER (PARTITION BY pid ORDER BY seen ROWS UNBOUNDED PRECEDING)", "number"],
  ["MAX(town) OVER (PARTITION BY pid ORDER BY n ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING)", "other"],
];

/** Over people of pid, x, y, wild, n, code, sector, town, member, since, seen. */
export function randomWindowedQuestion(dice: Dice): string {
  const chosen = dice.some(1, 3, () => dice.one(windows));
  const shown = ["pid", "wild AS b0", ...chosen.map(([sql], at) => `${sql} AS a${at}`)];
  const inner = `(SELECT ${shown.join(", ")} FROM people${dice.one(filters)}) t`;
  const columns = [["b0", "number"] as const, ...chosen.map(([, type], at) => [`a${at}`, type] as const)];
  return questionAround(dice, inner, columns);
}
