import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { isEstimate, isOther, isTimeEstimate, type ReleasedCell, type ShownRows } from "@lethe/gateway";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOver, planOver } from "./planned-over.ts";

/*
 * A SELECT over an answer means what SQL says: DuckDB is asked the same of a table that holds the released rows.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => connection.closeSync());

type Plain = string | number | boolean | null;

const plain = (cell: ReleasedCell): Plain => {
  if (isOther(cell)) return null;
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
};

/** Some groups, of which values are alike and some are below 0. */
const made = (seed: number) => (measurement: string, group: number) =>
  BigInt(((group * 7919 + measurement.length * 104_729 + seed * 31) % 23) * 40 - 80);

const monthly = "SELECT m, g, COUNT(*) AS n, SUM(x) AS s, AVG(x) AS av FROM t GROUP BY m, g";
const dated = "SELECT d, g, COUNT(*) AS n FROM t WHERE d < DATE '2024-01-08' GROUP BY d, g";

/** Asks the whole of Lethe, and what stands behind the answer of DuckDB. `ordered` is whether the order is told by the question. */
async function bothSides(inner: string, outer: string, seed: number) {
  const plan = await planOver(`WITH answer AS (${inner}) ${outer}`);
  const { columns, rows, over } = answerOver(plan, made(seed));
  expect(over).toBeDefined();
  const types = columns.map(({ name }) => (name === "g" ? "VARCHAR" : name === "d" ? "DATE" : "DOUBLE"));
  await connection.run(
    `CREATE OR REPLACE TABLE base (place INTEGER, ${columns.map(({ name }, at) => `${name} ${types[at]}`).join(", ")})`,
  );
  const values = rows.map((row, at) => `(${[at, ...row.map((cell) => literal(plain(cell)))].join(", ")})`);
  await connection.run(`INSERT INTO base VALUES ${values.join(", ")}`);
  await connection.run(
    `CREATE OR REPLACE VIEW answer AS SELECT ${columns.map(({ name }) => name).join(", ")} FROM base ORDER BY place`,
  );
  const result = await connection.runAndReadAll(outer);
  return {
    ours: over as ShownRows,
    theirs: result.getRowsJson().map((row) => row.map(numbered)),
    names: result.columnNames(),
  };
}

const literal = (value: Plain): string =>
  value === null ? "NULL" : typeof value === "string" ? `'${value}'` : String(value);

function numbered(value: unknown): Plain {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = String(value);
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

const shown = (value: Plain): string =>
  typeof value === "number" ? (Object.is(value, -0) ? 0 : value).toPrecision(9) : JSON.stringify(value);

async function expectAlike(inner: string, outer: string, seed = 1): Promise<void> {
  const { ours, theirs, names } = await bothSides(inner, outer, seed);
  expect(ours.columns.map(({ name }) => name)).toEqual(names);
  const rows = (table: readonly (readonly Plain[])[]): readonly string[] => {
    const written = table.map((row) => row.map(shown).join(" | "));
    return /ORDER BY [^()]*$/.test(outer) ? written : [...written].sort();
  };
  expect(rows(ours.rows.map((row) => row.map(plain))), outer).toEqual(rows(theirs));
}

describe("a SELECT over an answer means what it means to DuckDB", () => {
  it.each([
    "SELECT m, g, n FROM answer ORDER BY n DESC, m, g LIMIT 7 OFFSET 2",
    "SELECT * FROM answer WHERE n > 100 AND g <> 'b' ORDER BY m, g",
    "SELECT g, n * 100.0 / NULLIF(s, 0) AS ratio, CASE WHEN n > 0 THEN 'some' ELSE 'none' END AS word FROM answer WHERE g IS NOT NULL ORDER BY m, g",
    "SELECT g, SUM(n) AS n, AVG(n) AS mean, MIN(n) AS lo, MAX(m) AS hi, COUNT(*) AS k, STDDEV(n) AS sd, VAR_POP(n) AS vp FROM answer GROUP BY g ORDER BY g NULLS LAST",
    "SELECT SUM(n) FILTER (WHERE g = 'a') AS a_n, COUNT(DISTINCT n) AS d, COUNT(g) AS k, BOOL_AND(n > 0) AS b, BOOL_OR(n > 0) AS o FROM answer",
    "SELECT COUNT(*) AS n, SUM(n) AS s FROM answer WHERE n > 1e9",
    "SELECT m % 2 AS odd, MAX(g) AS last, SUM(n) / COUNT(*) AS mean FROM answer GROUP BY m % 2 HAVING SUM(n) > -1e9 ORDER BY odd",
    "SELECT DISTINCT g FROM answer ORDER BY g NULLS LAST",
    "SELECT m, SUM(n) AS n FROM answer GROUP BY 1 HAVING COUNT(*) > 2 ORDER BY SUM(n) DESC, m",
    "SELECT m, g, RANK() OVER (PARTITION BY m ORDER BY n DESC) AS r, DENSE_RANK() OVER (ORDER BY n) AS dr, PERCENT_RANK() OVER (ORDER BY n) AS pr, CUME_DIST() OVER (ORDER BY n) AS cd FROM answer ORDER BY m, g NULLS LAST",
    "SELECT m, g, ROW_NUMBER() OVER (ORDER BY m, g NULLS LAST) AS rn, NTILE(5) OVER (ORDER BY m, g NULLS LAST) AS q FROM answer ORDER BY rn",
    "SELECT m, g, LAG(n) OVER (PARTITION BY g ORDER BY m) AS before, LEAD(n, 2, -1) OVER (PARTITION BY g ORDER BY m) AS later, n - LAG(n, 1, 0) OVER (PARTITION BY g ORDER BY m) AS change FROM answer ORDER BY m, g NULLS LAST",
    "SELECT m, g, SUM(n) OVER (PARTITION BY g ORDER BY m) AS so_far, AVG(n) OVER (PARTITION BY g ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving, COUNT(*) OVER (PARTITION BY m) AS k, SUM(n) OVER () AS whole FROM answer ORDER BY m, g NULLS LAST",
    "SELECT m, g, FIRST_VALUE(n) OVER w AS f, LAST_VALUE(n) OVER w AS l, NTH_VALUE(n, 2) OVER w AS second, MAX(n) OVER w AS top FROM answer WINDOW w AS (PARTITION BY g ORDER BY m ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) ORDER BY m, g NULLS LAST",
    "SELECT m, SUM(n) OVER (ORDER BY m RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest FROM answer ORDER BY m, rest",
    "SELECT m, g, n FROM answer QUALIFY ROW_NUMBER() OVER (PARTITION BY m ORDER BY n DESC, g NULLS LAST) = 1 ORDER BY m",
    "SELECT m, SUM(n) AS total, RANK() OVER (ORDER BY SUM(n) DESC) AS place FROM answer GROUP BY m QUALIFY place <= 3 ORDER BY place, m",
    "SELECT m, g, n, n > (SELECT AVG(n) FROM answer) AS above FROM answer ORDER BY m, g NULLS LAST",
    "SELECT x.m, x.n AS one, y.n AS other FROM answer x JOIN answer y ON x.m = y.m AND x.g = 'a' AND y.g = 'b' ORDER BY x.m",
    "SELECT x.m, x.n AS this, y.n AS before FROM answer x LEFT JOIN answer y ON x.m = y.m + 1 AND x.g = y.g WHERE x.g = 'c' ORDER BY x.m",
    "SELECT m, 'n' AS what, n AS value FROM answer WHERE g = 'a' UNION ALL SELECT m, 's', s FROM answer WHERE g = 'a' ORDER BY m, what",
    "SELECT DISTINCT ON (g) g, m, n FROM answer ORDER BY g NULLS LAST, n DESC, m",
    "SELECT t.g, t.total, t.total / SUM(t.total) OVER () AS share FROM (SELECT g, SUM(n) AS total FROM answer GROUP BY g) t ORDER BY t.g NULLS LAST",
    "SELECT SUM(CASE WHEN m <= 3 THEN n END) AS q1, SUM(CASE WHEN m BETWEEN 4 AND 6 THEN n END) AS q2 FROM answer",
    "SELECT COALESCE(g, 'none') AS g, GREATEST(n, 0) AS n, ROUND(n / 7.0, 2) AS r FROM answer WHERE m = 1 ORDER BY 1",
  ])("%s", async (outer) => {
    await expectAlike(monthly, outer);
    await expectAlike(monthly, outer, 5);
  });

  it.each([
    "SELECT d, SUM(n) AS n FROM answer GROUP BY d ORDER BY d DESC",
    "SELECT d, g, n, LAG(d) OVER (PARTITION BY g ORDER BY d) AS before FROM answer WHERE d > DATE '2024-01-02' ORDER BY d, g NULLS LAST",
    "SELECT MIN(d) AS first, MAX(d) AS last FROM answer WHERE n > 0",
  ])("of days: %s", async (outer) => {
    await expectAlike(dated, outer);
  });

  it("whatever windows are asked", async () => {
    const order = fc.constantFrom("m, g NULLS LAST", "n, m, g NULLS LAST", "g NULLS FIRST, m DESC");
    const partition = fc.constantFrom("", "PARTITION BY g ", "PARTITION BY m ", "PARTITION BY m % 3, g ");
    const end = fc.integer({ min: -3, max: 3 });
    const written = (at: number): string =>
      at === 0 ? "CURRENT ROW" : at < 0 ? `${-at} PRECEDING` : `${at} FOLLOWING`;
    const rows = fc.tuple(end, end).map(([a, b]) => {
      const [from, to] = a <= b ? [a, b] : [b, a];
      return ` ROWS BETWEEN ${written(from)} AND ${written(to)}`;
    });
    const frame = fc.oneof(
      fc.constant(""),
      rows,
      fc.constantFrom(
        " ROWS UNBOUNDED PRECEDING",
        " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
        " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
        " RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
      ),
    );
    const call = fc.oneof(
      fc.tuple(
        fc.constantFrom(
          ...["SUM(n)", "AVG(s)", "COUNT(*)", "COUNT(g)", "MIN(n)", "MAX(s)", "STDDEV_POP(n)"],
          ...["SUM(n) FILTER (WHERE g = 'a')", "FIRST_VALUE(n)", "LAST_VALUE(s)", "NTH_VALUE(n, 3)"],
        ),
        frame,
      ),
      fc.tuple(
        fc.constantFrom(
          ...[
            "ROW_NUMBER()",
            "RANK()",
            "DENSE_RANK()",
            "PERCENT_RANK()",
            "CUME_DIST()",
            "NTILE(4)",
            "NTILE(50)",
          ],
          ...["LAG(n)", "LEAD(g, 3)", "LAG(n, 0)", "LEAD(n, 2, 7)"],
        ),
        fc.constant(""),
      ),
    );
    const window = fc
      .tuple(call, partition, order)
      .map(([[name, within], by, ordered]) => `${name} OVER (${by}ORDER BY ${ordered}${within})`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(window, { minLength: 1, maxLength: 4 }),
        fc.nat(50),
        async (windows, seed) => {
          const listed = windows.map((each, at) => `${each} AS w${at}`).join(", ");
          await expectAlike(monthly, `SELECT m, g, ${listed} FROM answer ORDER BY m, g NULLS LAST`, seed);
        },
      ),
      { numRuns: 120, seed: 11 },
    );
  });
});
