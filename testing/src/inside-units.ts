import type { Dice } from "./dice.ts";

/* Questions over what one unit's rows come to: by hand for the table of ./differential-data.ts, by chance for that of ./random-neighbours.ts. */

const bounded = "contribution_bounds_per_row => (-1e6, 5e8)";

/** Over people of pid, wage, rate, age, grade, code, wild, town, sector, member, born, since, seen. */
export const groupedWithinUnits: readonly string[] = [
  `SELECT n, COUNT(*), SUM(total, ${bounded}), AVG(mean) FROM (SELECT pid, COUNT(*) AS n, SUM(wage) AS total, AVG(wage) AS mean FROM people GROUP BY pid) t GROUP BY n`,
  "SELECT total, COUNT(*) FROM (SELECT pid, SUM(wage) AS total FROM people GROUP BY pid) t GROUP BY total",
  "SELECT COUNT(*), COUNT(DISTINCT pid) FROM (SELECT pid, COUNT(wage) AS n FROM people WHERE member GROUP BY pid HAVING COUNT(*) > 1 AND n < 4) t",
  "SELECT least, most, COUNT(*) FROM (SELECT pid, MIN(town) AS least, MAX(wild) AS most FROM people GROUP BY pid) t GROUP BY 1, 2",
  "SELECT DATE_TRUNC('month', first), COUNT(*), SUM(EXTRACT(hour FROM last)), AVG(born - first) FROM (SELECT pid, MIN(since) AS first, MAX(seen) AS last, MIN(born) AS born FROM people GROUP BY pid) t GROUP BY 1",
  `SELECT sum, total, COUNT(*) FROM (SELECT pid, SUM(code), SUM(wild, contribution_bounds_per_row => (-1e15, 1e15)) AS total FROM people GROUP BY pid) t GROUP BY 1, 2`,
  "SELECT sector, member, AVG(s), SUM(v) FROM (SELECT pid, sector, member, SUM(wage, contribution_bounds_per_group => (-20, 50)) AS s, COUNT(DISTINCT grade) AS v FROM people GROUP BY pid, sector, member) t GROUP BY 1, 2",
  `SELECT wild, AVG(r, ${bounded}) FROM (SELECT pid, wild, SUM(rate) / COUNT(age) AS r FROM people GROUP BY wild, pid) t GROUP BY wild`,
  "SELECT WIDTH_BUCKET(n, 0, 4, 2), MEDIAN(most), AVG(CASE WHEN n > 1 THEN LEAST(n, 9) END) FROM (SELECT pid, COUNT(DISTINCT wild) FILTER (WHERE age > 3) AS n, MAX(age * 2 - wage) AS most FROM people GROUP BY 1) t GROUP BY 1",
  "SELECT COUNT(*), SUM(LEAST(groups, 3)) FROM (SELECT pid, COUNT(*) AS groups, MAX(n) AS largest FROM (SELECT pid, town, COUNT(*) AS n FROM people GROUP BY pid, town) a GROUP BY pid) b WHERE largest > 1",
  "SELECT grade, SUM(wage - mean) FROM people p JOIN (SELECT pid, AVG(wage) AS mean FROM people GROUP BY pid) t ON p.pid = t.pid GROUP BY grade",
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

/** What a question may ask of columns a0 … of a subquery, in the words of SELECT. */
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
