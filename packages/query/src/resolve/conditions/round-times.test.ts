import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lengthWords, roundedDown } from "../../expressions/calendar/rounding.ts";
import { readTime, type TimeType, timeLimits, writeTime } from "../../expressions/calendar/times.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { conditionsOf } from "../../relations/relation.ts";
import { questionIdentity } from "../names/question-identity.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: pid
    max_rows_before_join: 5
    columns:
      pid: { type: text }
      ts: { type: timestamp, round_filters: 1h }
      seen: { type: timestamp }
      day: { type: date, round_filters: 7d }
      cost: { type: number, bounds: [0, 10] }
budget: { measure: pure, epsilon: 5 }
`);

async function resolved(
  text: string,
  parameters: readonly string[] = [],
  today: string | null = null,
): Promise<ResolvedQuery> {
  return resolveQuestion(await parseQuestion(text, parameters, today), policy);
}

/** The condition of a question, as SQL. */
async function condition(where: string, parameters: readonly string[] = []): Promise<string | null> {
  const query = await resolved(`SELECT COUNT(*) FROM visits WHERE ${where}`, parameters);
  return query.where && writeSql(query.where);
}

describe("a time that a filter compares with a column", () => {
  it.each([
    [
      "ts BETWEEN '2026-11-28T14:05:03Z' AND '2026-11-28T20:05:03Z'",
      "(ts >= TIMESTAMP '2026-11-28 14:00:00') AND (ts <= TIMESTAMP '2026-11-28 20:00:00')",
    ],
    ["ts >= '2026-11-28 14:59:59.999999'", "ts >= TIMESTAMP '2026-11-28 14:00:00'"],
    [
      "ts >= TO_TIMESTAMP('2026-11-28 14:05:03.000000', 'YYYY-MM-DD HH24:MI:SS.US')",
      "ts >= TIMESTAMP '2026-11-28 14:00:00'",
    ],
    ["'2026-11-28 14:05' > ts", "TIMESTAMP '2026-11-28 14:00:00' > ts"],
    ["NOT (ts < TIMESTAMP '2026-11-28 14:05')", "NOT (ts < TIMESTAMP '2026-11-28 14:00:00')"],
    ["ts < '1969-12-31 23:59:59'", "ts < TIMESTAMP '1969-12-31 23:00:00'"],
    ["ts >= '2026-11-28 14:00:00'", "ts >= TIMESTAMP '2026-11-28 14:00:00'"],
    [
      "ts >= CAST('2026-11-28T14:05:03Z' AS timestamptz) - INTERVAL '6 hours'",
      "ts >= TIMESTAMP '2026-11-28 08:00:00'",
    ],
    // Monday 2026-11-23 begins the week.
    ["day >= DATE '2026-11-28' OR cost > 3", "(day >= DATE '2026-11-23') OR (cost > 3)"],
    ["day < TIMESTAMP '2026-11-28 14:05'", "CAST(day AS timestamp) < TIMESTAMP '2026-11-23 00:00:00'"],
    // Neither an equality, nor another column, nor another expression is rounded.
    ["ts = '2026-11-28 14:05:03'", "ts = TIMESTAMP '2026-11-28 14:05:03'"],
    ["seen >= '2026-11-28 14:05:03'", "seen >= TIMESTAMP '2026-11-28 14:05:03'"],
    ["ts >= seen", "ts >= seen"],
  ])("in %s is rounded down", async (where, due) => {
    expect(await condition(where)).toBe(due);
  });

  it("is a parameter too", async () => {
    const due = "ts >= TIMESTAMP '2026-11-28 14:00:00'";
    expect(await condition("ts >= $1::timestamp", ["2026-11-28 14:05:03"])).toBe(due);
  });

  it("is rounded in FILTER, in a subquery and in ON", async () => {
    const moved = (second: string): string =>
      `SELECT SUM(cost) FILTER (WHERE ts >= '2026-11-28 14:05:${second}') AS s FROM (SELECT * FROM visits WHERE ts < '2026-11-28 20:05:${second}') v`;
    const [one, other] = [await resolved(moved("03")), await resolved(moved("33"))];
    expect(questionIdentity(one)).toBe(questionIdentity(other));
    expect(conditionsOf(one.from).map(writeSql)).toEqual(["visits.ts < TIMESTAMP '2026-11-28 20:00:00'"]);
    const joined = await resolved(
      "SELECT COUNT(*) FROM visits a JOIN visits b ON a.pid = b.pid AND b.ts < '2026-11-28 20:05' WHERE a.ts > '2026-11-28 14:05'",
    );
    expect([...conditionsOf(joined.from), ...(joined.where ? [joined.where] : [])].map(writeSql)).toEqual([
      "b.ts < TIMESTAMP '2026-11-28 20:00:00'",
      "a.ts > TIMESTAMP '2026-11-28 14:00:00'",
    ]);
  });

  it("of a span shorter than a bucket is refused before it is paid for", async () => {
    const short = condition("ts BETWEEN '2026-11-28 14:05' AND '2026-11-28 14:20'");
    await expect(short).rejects.toMatchObject({
      code: "query.impossible",
      message: expect.stringContaining(
        "down to 1 hour, and both ends of the span are then TIMESTAMP '2026-11-28 14:00:00'",
      ),
    });
    await expect(condition("ts >= '2026-11-28 14:55' AND ts < '2026-11-28 15:05'")).resolves.toContain(
      "15:00",
    );
  });
});

describe("two questions within one bucket", () => {
  const moving = (from: string, to: string): string =>
    `SELECT COUNT(*) AS n FROM visits WHERE ts BETWEEN '${from}' AND '${to}'`;

  it("are one, written out or with parameters, and another in the next", async () => {
    const first = questionIdentity(await resolved(moving("2026-11-28T14:05:03Z", "2026-11-28T20:05:03Z")));
    expect(questionIdentity(await resolved(moving("2026-11-28T14:59:59Z", "2026-11-28T20:59:59Z")))).toBe(
      first,
    );
    expect(questionIdentity(await resolved(moving("2026-11-28T15:00:00Z", "2026-11-28T21:00:00Z")))).not.toBe(
      first,
    );
    const bound = "SELECT COUNT(*) AS n FROM visits WHERE ts BETWEEN $1::timestamp AND $2::timestamp";
    for (const minute of ["05", "06"])
      expect(
        questionIdentity(await resolved(bound, [`2026-11-28 14:${minute}`, `2026-11-28 20:${minute}`])),
      ).toBe(first);
  });

  it("of a column without rounding are told apart by their parameters", async () => {
    const bound = "SELECT COUNT(*) AS n FROM visits WHERE seen >= $1::timestamp";
    const [one, other] = await Promise.all(
      ["2026-11-28 14:05", "2026-11-28 14:06"].map((at) => resolved(bound, [at])),
    );
    expect(questionIdentity(one as ResolvedQuery)).not.toBe(questionIdentity(other as ResolvedQuery));
  });
});

describe("rounding down", () => {
  it("is monotone, changes no begin, and moves a time by less than a bucket", () => {
    const cases = fc.constantFrom<TimeType>("date", "timestamp").chain((type) => {
      const [lo, hi] = timeLimits[type];
      const unit = type === "date" ? 1 : 60_000_000;
      return fc.record({
        type: fc.constant(type),
        a: fc.maxSafeInteger().map((x) => lo + (Math.abs(x) % (hi - lo + 1))),
        b: fc.maxSafeInteger().map((x) => lo + (Math.abs(x) % (hi - lo + 1))),
        length: fc.integer({ min: 1, max: 1000 }).map((count) => count * unit),
      });
    });
    fc.assert(
      fc.property(cases, ({ type, a, b, length }) => {
        const [x, y] = [a, b].map((value) => roundedDown(type, value, length)) as [number, number];
        expect(x).toBeLessThanOrEqual(a);
        expect(x).toBeGreaterThan(a - length);
        expect(roundedDown(type, x, length)).toBe(x);
        // A time before the first whole bucket stays as it is.
        if (Math.min(a, b) >= timeLimits[type][0] + length)
          expect(Math.sign(x - y) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
      { seed: 96 },
    );
  });

  it("counts as TIME_BUCKET does", () => {
    const down = (text: string, length: number): string =>
      writeTime("timestamp", roundedDown("timestamp", readTime("timestamp", text) ?? 0, length));
    expect(down("2026-11-28 14:05:03", 7 * 86_400e6)).toBe("2026-11-23 00:00:00");
    expect(down("1999-12-31 23:59:59.999999", 900e6)).toBe("1999-12-31 23:45:00");
    expect([
      lengthWords("date", 7),
      lengthWords("timestamp", 3600e6),
      lengthWords("timestamp", 900e6),
    ]).toEqual(["7 days", "1 hour", "15 minutes"]);
  });
});
