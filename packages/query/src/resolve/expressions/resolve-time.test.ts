import { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { writeTime } from "../../expressions/calendar/times.ts";
import type { Domain } from "../../expressions/domain.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

const conditionOf = async (condition: string): Promise<string> => {
  const { where } = resolveQuestion(
    await parseQuestion(`SELECT COUNT(*) FROM people WHERE ${condition}`),
    testPolicy,
  );
  return writeSql(where!);
};
const keyDomain = async (key: string): Promise<Domain> =>
  resolveQuestion(await parseQuestion(`SELECT ${key}, COUNT(*) FROM people GROUP BY 1`), testPolicy)
    .groupBy[0]!.expression.domain;

describe("conditions on times", () => {
  test.each([
    ["hired > '2020-01-31'", "hired > DATE '2020-01-31'"],
    ["'2020-01-31' <= hired", "DATE '2020-01-31' <= hired"],
    ["hired = '2020-01-31 10:00'", "hired = DATE '2020-01-31'"],
    ["hired IN ('2020-01-31', DATE '2020-02-01')", "hired IN (DATE '2020-01-31', DATE '2020-02-01')"],
    [
      "seen BETWEEN '2020-01-01' AND timestamptz '2020-02-01 10:00Z'",
      "(seen >= TIMESTAMP '2020-01-01 00:00:00') AND (seen <= TIMESTAMP '2020-02-01 10:00:00')",
    ],
    ["seen > hired", "seen > CAST(hired AS timestamp)"],
    ["hired < DATE '2020-01-31' + INTERVAL '1 month'", "hired < DATE '2020-02-29'"],
    ["hired < '2020-01-31' + INTERVAL '1' MONTH", "hired < DATE '2020-02-29'"],
    ["hired - 30 = '2020-01-01'", "(hired + INTERVAL '-30 days') = DATE '2020-01-01'"],
    ["hired + 1 = '2020-01-01'", "(hired + INTERVAL '1 days') = DATE '2020-01-01'"],
    [
      "seen - INTERVAL '1 year 2 weeks 3 hours' > '2020-01-01'",
      "(seen + INTERVAL '-12 months -14 days -10800000000 microseconds') > TIMESTAMP '2020-01-01 00:00:00'",
    ],
    [
      "hired + INTERVAL '1 hour' > '2020-01-01'",
      "(CAST(hired AS timestamp) + INTERVAL '3600000000 microseconds') > TIMESTAMP '2020-01-01 00:00:00'",
    ],
    ["hired - quarter > 30", "(hired - quarter) > 30"],
    ["hired - '2020-01-01' > 30", "(hired - DATE '2020-01-01') > 30"],
    ["EXTRACT(YEAR FROM hired) = 2020", "EXTRACT(year FROM hired) = 2020"],
    ["date_part('dow', seen) = 0", "EXTRACT(dow FROM seen) = 0"],
    [
      "year(hired) = 2020 AND dayofweek(hired) = 1",
      "(EXTRACT(year FROM hired) = 2020) AND (EXTRACT(dow FROM hired) = 1)",
    ],
    ["date_trunc('Month', hired) = '2020-01-01'", "DATE_TRUNC('month', hired) = DATE '2020-01-01'"],
    ["date(seen) = '2020-01-01'", "CAST(seen AS date) = DATE '2020-01-01'"],
    ["name::date = '2020-01-01'", "CAST(name AS date) = DATE '2020-01-01'"],
    ["least(hired, '2020-01-01') = hired", "LEAST(hired, DATE '2020-01-01') = hired"],
    ["coalesce(hired, seen) IS NULL", "COALESCE(CAST(hired AS timestamp), seen) IS NULL"],
    ["hired::text LIKE '2020%'", "CAST(hired AS text) LIKE '2020%'"],
  ])("%s", async (condition, written) => {
    expect(await conditionOf(condition)).toBe(written);
  });
});

describe("times as keys", () => {
  const shown = (domain: Domain): unknown =>
    domain.type === "date" || domain.type === "timestamp"
      ? domain.values && [domain.values.length, writeTime(domain.type, domain.values[0]!), domain.nullable]
      : (domain.type === "number" && domain.values) || null;
  test.each<[string, unknown]>([
    ["quarter", [91, "2020-01-01", false]],
    ["hired", null],
    ["date_trunc('month', hired)", [375, "1999-12-01", true]],
    ["date_trunc('week', hired)", null],
    ["date_trunc('month', seen)", null],
    ["date_trunc('year', seen)", [56, "1969-01-01 00:00:00", true]],
    ["extract(quarter from hired)", [1, 2, 3, 4]],
    ["extract(month from quarter)", [1, 2, 3]],
    ["CASE WHEN married THEN quarter ELSE DATE '2019-01-01' END", [92, "2019-01-01", false]],
    ["quarter + INTERVAL '1 month'", [88, "2020-02-01", false]],
  ])("%s", async (key, expected) => expect(shown(await keyDomain(key))).toEqual(expected));

  test("released ones are compared as they are written", async () => {
    const asked =
      "SELECT date_trunc('month', hired) AS m, COUNT(*), COALESCE(date_trunc('month', hired), DATE '1999-01-01') FROM people GROUP BY 1 HAVING m >= '2020-01-01' OR date_trunc('month', hired) = DATE '2019-12-01' ORDER BY m";
    const { post, outputs } = resolveQuestion(await parseQuestion(asked), testPolicy);
    expect(JSON.stringify(post.having)).toContain('{"kind":"literal","value":"2020-01-01"}');
    expect(JSON.stringify(post.having)).toContain('{"kind":"literal","value":"2019-12-01"}');
    expect(outputs[2]).toMatchObject({ kind: "computed", type: "date" });
  });
});

describe("refusals", () => {
  test.each([
    ["SUM(hired)", "query.type", "hired is a date, but a number is needed here", "hired - DATE '2000-01-01'"],
    ["AVG(seen)", "query.type", "seen is a timestamp", "EXTRACT(epoch FROM seen)"],
    [
      "COUNT(seen - moment)",
      "query.type",
      "a number of seconds here",
      "EXTRACT(epoch FROM seen) - EXTRACT(epoch FROM moment)",
    ],
    ["COUNT(hired + quarter)", "query.type", "a constant number of days", "INTERVAL '1 month'"],
    ["COUNT(hired + age)", "query.type", "a constant number of days", "d + 30"],
    ["COUNT(AGE(hired, quarter))", "query.unsupported", "no fixed length", "or a - b for days"],
    ["COUNT(hired > now())", "query.unsupported", "the time at which it is asked", "DATE '2020-02-29'"],
    ["COUNT(hired > CURRENT_DATE)", "query.unsupported", "the time or the user", "DATE '2020-02-29'"],
    ["COUNT(seen AT TIME ZONE 'Moon')", "query.unsupported", "is not known", "Europe/"],
    ["COUNT(to_char(hired, 'WW'))", "query.unsupported", "is not known", "IYYY, IW"],
    ["COUNT(hired > '29/02/2020')", "query.type", "year-month-day", "DATE '2020-02-29'"],
    ["COUNT(hired > DATE '2021-02-29')", "query.type", "year-month-day", "DATE '2020-02-29'"],
    [
      "COUNT(hired > 20200101)",
      "query.type",
      "20200101 is a number, but a date is needed here",
      "DATE '2020-02-29', or compare EXTRACT(year",
    ],
    ["COUNT(hired + INTERVAL '1.5 days')", "query.type", "consists of whole", "INTERVAL '2 days 12 hours'"],
    ["COUNT(hired + INTERVAL '251 years')", "query.type", "at most 250 years", "INTERVAL '1 month'"],
    ["COUNT(INTERVAL '1 day')", "query.unsupported", "the type interval", "t + INTERVAL '1 month'"],
    [
      "COUNT(EXTRACT(second FROM seen))",
      "query.type",
      "every engine computes in the same way",
      "EXTRACT(epoch FROM t)",
    ],
    [
      "COUNT(EXTRACT(century FROM seen))",
      "query.type",
      "every engine computes in the same way",
      "write one of: year",
    ],
    ["COUNT(EXTRACT(hour FROM hired))", "query.type", "a date has no hour", "timestamp in the policy"],
    ["COUNT(date_trunc('hour', hired))", "query.type", "a date has no hour", "cut it to a day"],
    [
      "COUNT(date_trunc('decade', hired))",
      "query.type",
      "the unit of DATE_TRUNC must be a constant",
      "write one of: year",
    ],
    ["COUNT(age::date)", "query.type", "age is not a date or a timestamp", "DATE '1970-01-01' + 30"],
    [
      "COUNT(seen::text)",
      "query.type",
      "a timestamp, but a text is needed",
      "CAST(CAST(seen AS date) AS text)",
    ],
    ["COUNT(hired::int)", "query.type", "a date, but a number is needed", "hired - DATE '2000-01-01'"],
    ["COUNT(lower(hired))", "query.type", "a date, but a text is needed", "CAST(hired AS text)"],
  ])("%s", async (asked, code, message, fix) => {
    const parsed = await parseQuestion(`SELECT ${asked} FROM people`);
    const refused = (): unknown => resolveQuestion(parsed, testPolicy);
    expect(refused).toThrow(LetheError);
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({ code });
      expect((error as LetheError).message).toContain(message);
      expect((error as LetheError).fix).toContain(fix);
    }
  });
});
