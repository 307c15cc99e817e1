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
    ...[
      "%y",
      "%b",
      "%B %Y",
      "%a",
      "%d.%m.%Y",
      "%j",
      "%G-W%V",
      "%u",
      "%w",
      "%H:%M:%S",
      "%I %p",
      "100 %%: %Y",
    ].flatMap((format) => [`strftime(hired, '${format}')`, `strftime(seen, '${format}')`]),
    ...["%-d/%-m", "%-j", "%-H %-I %-M %-S"].map((format) => `strftime(seen, '${format}')`),
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
    ["to_char(seen, 'HH24')", 24],
    ["to_char(seen, 'HH12 AM')", 24],
    ["to_char(seen, 'MI')", 60],
    ["to_char(hired, 'Dy')", 7],
    ["strftime(hired, '%b')", 12],
    ["to_char(hired, 'YYYY-\"Q\"Q')", 132],
    ["strftime(hired, '%b %Y')", 396],
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
  ["to_char(hired, 'WW')", "is not known", "YYYY, YY, MM"],
  ["to_char(hired, 'SSSS')", "is not known", "HH24"],
  ["to_char(hired, 'Y,YYY')", "is not known", "YYYY"],
  ["to_char(hired, 'DDth')", "is not known", '"text"'],
  ["to_char(hired, 'year YYYY')", "is not known", '"text"'],
  ["to_char(hired, 'none')", "is not known", "YYYY"],
  ["to_char(hired, '\"only a text\"')", "is not known", "YYYY"],
  ["to_char(hired, '')", "is not known", "YYYY"],
  ["strftime(hired, '%U')", "is not known", "%V"],
  ["strftime(hired, '%Y %')", "is not known", "%V"],
  ["date_format(hired, '%B')", "is not known", "%V"],
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
  ["to_date(name, 'YYYY-MM-DD')", "is written out", "CAST(x AS date)"],
  ["to_date('2020', 'YYYY')", "is written out", "DATE '2026-05-17'"],
  ["to_date('2020-01-01 10:00:00', 'YYYY-MM-DD')", "is written out", "DATE '2026-05-17'"],
  ["to_timestamp('2020-01-01 10:00', 'YYYY-MM-DD HH24:MI:SS')", "is written out", "HH24:MI:SS.US"],
  ["to_timestamp('2020-01-01', name)", "is written out", "TIMESTAMP '2026-05-17'"],
  ["to_date('2020-02-30', 'YYYY-MM-DD')", "year-month-day", "DATE '2020-02-29'"],
])("%s is refused with a fix", async (sql, message, fix) => {
  const refused = await refusalOf(keyOf(sql));
  expect(refused.message).toContain(message);
  expect(refused.fix).toContain(fix);
});

describe("TO_CHAR and DATE_FORMAT", () => {
  const shown = async (call: string, seen: string): Promise<unknown> => {
    const value = Date.parse(`${seen}Z`) * 1000;
    return evaluate(await keyOf(call), { seen: value });
  };
  // As PostgreSQL 17 writes them.
  it.each([
    ["YYYY-MM-DD HH24:MI:SS", "1999-03-07 00:04:09"],
    ["YY MM DD", "99 03 07"],
    ["yyyy/mm/dd hh:mi", "1999/03/07 12:04"],
    ["HH12 AM", "12 AM"],
    ["HH24 pm", "00 am"],
    ["Mon MON mon", "Mar MAR mar"],
    ["Month|MONTH|month|", "March    |MARCH    |march    |"],
    ["FMMonth FMDD, YYYY", "March 7, 1999"],
    ["Dy DY dy", "Sun SUN sun"],
    ["Day|FMDay|DAY|day|", "Sunday   |Sunday|SUNDAY   |sunday   |"],
    ["D ID DDD FMDDD", "1 7 066 66"],
    ['YYYY"Q"Q', "1999Q1"],
    ['IYYY-"W"IW FMIW', "1999-W09 9"],
    ["FMHH24:FMMI:FMSS FMHH12", "0:4:9 12"],
    ['"YYYY" YYYY', "YYYY 1999"],
  ])("%s", async (format, expected) => {
    expect(await shown(`to_char(seen, '${format}')`, "1999-03-07T00:04:09")).toBe(expected);
  });

  it("knows the clock in the afternoon, before 1970, and at the end of a week's year", async () => {
    expect(await shown("to_char(seen, 'HH12:MI:SS PM HH24')", "1969-12-31T23:59:58")).toBe("11:59:58 PM 23");
    expect(await shown("to_char(seen, 'HH12 PM')", "2005-01-01T12:00:00")).toBe("12 PM");
    expect(await shown("to_char(seen, 'IYYY IW')", "2005-01-01T12:00:00")).toBe("2004 53");
  });

  it("read MySQL's specifiers in DATE_FORMAT, of which %M is a month and %i are minutes", async () => {
    expect(await shown("date_format(seen, '%W, %M %e %Y %k:%i:%s')", "1999-03-07T00:04:09")).toBe(
      "Sunday, March 7 1999 0:04:09",
    );
    expect(await shown("date_format(seen, '%a %b %c %h %l')", "1999-03-07T13:04:09")).toBe("Sun Mar 3 01 1");
  });

  it("have no clock in a date, and are NULL where the time is", async () => {
    expect(evaluate(await keyOf("to_char(hired, 'HH24:MI:SS')"), { hired: 3 })).toBe("00:00:00");
    expect(evaluate(await keyOf("to_char(seen, 'Mon \"of\" YYYY')"), { seen: null })).toBe(null);
  });
});

// As PostgreSQL 17 reads them, and as Superset writes the ends of a time range.
it.each([
  ["hired >= TO_DATE('2020-01-31', 'YYYY-MM-DD')", "hired >= DATE '2020-01-31'"],
  [
    "seen < TO_TIMESTAMP('2020-01-31 23:59:59.250000', 'YYYY-MM-DD HH24:MI:SS.US')",
    "seen < TIMESTAMP '2020-01-31 23:59:59.25'",
  ],
  [
    "seen < to_timestamp('2020-01-31 23:59:59.250', 'YYYY-MM-DD HH24:MI:SS.MS')",
    "seen < TIMESTAMP '2020-01-31 23:59:59.25'",
  ],
  [
    "seen < to_timestamp('2020-01-31 23:59:59', 'YYYY-MM-DD HH24:MI:SS')",
    "seen < TIMESTAMP '2020-01-31 23:59:59'",
  ],
  ["seen < to_timestamp('2020-01-31', 'YYYY-MM-DD')", "seen < TIMESTAMP '2020-01-31 00:00:00'"],
])("%s is %s", async (called, written) => {
  expect(await keyOf(called)).toEqual(await keyOf(written));
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
