import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeTime } from "../../expressions/calendar/times.ts";
import { isTime, publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { column, row } from "../testing/random-expressions.ts";
import { testPolicy } from "../testing/test-policy.ts";

async function keyOf(sql: string): Promise<Expression> {
  const text = `SELECT ${sql} AS k, COUNT(*) FROM people GROUP BY 1`;
  const { groupBy } = resolveQuestion(await parseQuestion(text), testPolicy);
  return groupBy[0]?.expression ?? expect.fail("no key");
}

const times = ["hired", "quarter", "seen", "moment"] as const;

describe("functions of times are DuckDB's own", () => {
  let connection: DuckDBConnection;
  const rows = fc.sample(row, { numRuns: 300, seed: 11 });
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    const values = rows.map((each, place) => {
      const cells = times.map((name) => {
        const { domain } = column(name);
        const value = each[name] ?? null;
        if (value === null || !isTime(domain)) return "NULL";
        return `${domain.type.toUpperCase()} '${writeTime(domain.type, Number(value))}'`;
      });
      return `(${place}, ${cells.join(", ")})`;
    });
    await connection.run(
      `CREATE TABLE people AS SELECT * FROM (VALUES ${values.join(", ")}) AS t(place, ${times})`,
    );
  });
  afterAll(() => connection.closeSync());

  it.each([
    ...["dayname(hired)", "dayname(seen)", "monthname(hired)", "isodow(seen)", "strftime(hired, '%A')"],
    ...[
      "strftime(hired, '%Y-%m')",
      "strftime(seen, '%Y-%m-%d')",
      "strftime(hired, '%Y')",
      "strftime(seen, '%m')",
    ],
    ...["strftime(hired, '%d')", "CAST(last_day(hired) AS text)"],
    ...["day", "week", "month", "quarter", "year"].map((unit) => `date_diff('${unit}', hired, quarter)`),
    ...["day", "week", "month", "quarter", "year", "hour", "minute", "second"].map(
      (unit) => `datediff('${unit}', seen, moment)`,
    ),
    ...[
      "seen - moment < INTERVAL '10 days'",
      "INTERVAL 90 MINUTE >= moment - seen",
      "seen - moment = INTERVAL '0 days'",
    ].map((condition) => `IF(${condition}, 'yes', 'no')`),
    "CAST(EXTRACT(epoch FROM (seen - moment)) AS bigint)",
    "EXTRACT(day FROM moment - seen)",
    ...["1 week", "10 days", "2 months", "4 months", "6 months", "1 year"].map(
      (width) => `CAST(time_bucket(INTERVAL '${width}', hired) AS text)`,
    ),
    ...["15 minutes", "36 hours", "7 days", "9 days 30 seconds", "3 months"].map(
      (width) => `CAST(EXTRACT(epoch FROM time_bucket(INTERVAL '${width}', seen)) AS bigint)`,
    ),
    ...["year", "month"].flatMap((field) =>
      ["hired, DATE '2003-02-14'", "DATE '2030-06-30', hired", "seen, TIMESTAMP '1999-07-15 13:00:00'"].map(
        (ends) => `EXTRACT(${field} FROM AGE(${ends}))`,
      ),
    ),
    ...["Europe/Berlin", "America/New_York", "Asia/Kolkata"].map(
      (zone) =>
        `CAST(EXTRACT(epoch FROM seen AT TIME ZONE 'UTC' AT TIME ZONE '${zone}') * 1000000 AS bigint)`,
    ),
    ...[
      "seen::time BETWEEN TIME '07:00' AND TIME '09:30'",
      "moment::time < TIME '12:00:00'",
      "seen::time IN (TIME '22:15', TIME '00:00')",
    ].map((condition) => `IF(${condition}, 'yes', 'no')`),
    "CASE WHEN TRY_CAST(dayname(hired) AS integer) IS NULL THEN 'none' ELSE 'some' END",
  ])("%s", async (sql) => {
    const key = await keyOf(sql);
    const found = await connection.runAndReadAll(`SELECT CAST(${sql} AS text) FROM people ORDER BY place`);
    const expected = found.getRows().map(([cell]) => cell);
    const ours = rows.map((each) => {
      const value = evaluate(key, each);
      return value === null ? null : String(value);
    });
    expect(ours).toEqual(expected);
  });
});

describe("keys of functions of times", () => {
  it.each([
    ["to_char(hired, 'YYYY')", 33],
    ["date_format(hired, '%Y-%m')", 375],
    ["dayname(seen)", 7],
    ["monthname(hired)", 12],
    ["to_char(hired, 'MM')", 12],
    ["time_bucket(INTERVAL '6 months', hired)", 66],
    ["time_bucket(INTERVAL '100 days', hired)", 115],
    ["EXTRACT(hour FROM seen AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')", 24],
  ])("%s are public", async (sql, least) => {
    const keys = publicKeys((await keyOf(sql)).domain);
    expect(keys?.length).toBeGreaterThanOrEqual(least);
    expect(keys?.length).toBeLessThanOrEqual(least + 1);
  });
});

it.each([
  ["IF(seen - moment < INTERVAL '1 month', 1, 2)", "no fixed length", "INTERVAL '30 days'"],
  ["to_char(hired, 'Month DD')", "most formats of times", "DAYNAME(t)"],
  ["date_diff('decade', hired, quarter)", "its unit first", "DATE_DIFF('day', a, b)"],
  ["date_diff(hired, quarter, 'day')", "its unit first", "DATE_DIFF('day', a, b)"],
  [
    "seen AT TIME ZONE 'Europe/Berlin'",
    "for one of that zone",
    "seen AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin'",
  ],
  ["seen AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Bärlin'", "is not known", "Europe/Oslo"],
  ["moment AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin'", "at most 100 years", "in the policy"],
  ["time_bucket(INTERVAL '5 months', seen)", "a bucket of months", "3 months"],
  ["time_bucket('week', seen)", "an interval and a time", "TIME_BUCKET(INTERVAL '15 minutes', t)"],
  ["seen::time", "the type time", "t::time < TIME '09:30'"],
  ["IF(hired::time < TIME '07:00', 1, 2)", "whole seconds", "of a timestamp"],
  ["EXTRACT(day FROM AGE(hired, quarter))", "the whole years", "EXTRACT(year FROM AGE(a, b))"],
])("%s is refused with a fix", async (sql, message, fix) => {
  const refused = await refusalOf(keyOf(sql));
  expect(refused.message).toContain(message);
  expect(refused.fix).toContain(fix);
});

it("a time AT TIME ZONE 'UTC' is that time", async () => {
  const [zoned, plain] = [
    await keyOf("extract(year from seen AT TIME ZONE 'UTC')"),
    await keyOf("year(seen)"),
  ];
  expect(zoned).toEqual(plain);
});

it("reads a span in a condition within a condition in time", async () => {
  let sql = "hired";
  for (let level = 0; level < 30; level++)
    sql = `CASE WHEN EXTRACT(day FROM ${sql} - 3) = 1 THEN hired ELSE quarter END`;
  expect((await refusalOf(keyOf(sql))).code).toBe("query.too-large");
});
