import { describe, expect, it, test } from "vitest";
import { askedOf } from "../../aggregates/quantile/asked-of.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { QuantileAggregate, ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), testPolicy);
const quantileOf = async (call: string): Promise<QuantileAggregate> => {
  const { aggregates } = await resolve(`SELECT ${call} FROM people`);
  const [first] = aggregates;
  if (first?.kind !== "quantile" || aggregates.length > 1) throw new Error("one quantile is due");
  return first;
};

describe("a quantile has the share that its name or its call says", () => {
  test.each([
    ["MEDIAN(wage)", 0.5, null],
    ["MIN(wage)", 0.01, "min"],
    ["MAX(wage)", 0.99, "max"],
    ["PERCENTILE_CONT(wage, 0)", 0, null],
    ["PERCENTILE_DISC(wage, 1)", 1, null],
    ["QUANTILE(wage, 1 - 0.75)", 0.25, null],
    ["QUANTILE_CONT(wage, 0.1)", 0.1, null],
    ["QUANTILE_DISC(wage, 0.1)", 0.1, null],
    ["PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY wage)", 0.9, null],
    ["PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY wage ASC)", 0.9, null],
  ])("%s", async (call, share, standsFor) => {
    expect(await quantileOf(call)).toMatchObject({
      share,
      standsFor,
      argument: { name: "wage" },
      bounds: null,
    });
  });
});

describe("a quantile of times is that of a number", () => {
  test.each([
    ["MEDIAN(hired)", "date", "hired - DATE '1970-01-01'", "hired"],
    ["MIN(seen)", "timestamp", "EXTRACT(epoch FROM seen)", "seen"],
    [
      "MAX(hired + 30)",
      "date",
      "(hired + INTERVAL '30 days') - DATE '1970-01-01'",
      "hired + INTERVAL '30 days'",
    ],
  ])("%s", async (call, time, argument, asked) => {
    const quantile = await quantileOf(call);
    expect(quantile.time).toBe(time);
    expect(writeSql(quantile.argument)).toBe(argument);
    expect(writeSql(askedOf(quantile))).toBe(asked);
    const { outputs } = await resolve(`SELECT COALESCE(${call}, NULL) AS c FROM people`);
    expect(outputs).toMatchObject([{ kind: "computed", type: time }]);
  });

  it("but one of numbers is asked of its argument, whatever it is made of", async () => {
    const quantile = await quantileOf("MEDIAN(EXTRACT(epoch FROM hired))");
    expect(quantile).not.toHaveProperty("time");
    expect(askedOf(quantile)).toBe(quantile.argument);
  });

  test.each([
    ["MEDIAN(everyday)", "MEDIAN(everyday) needs bounds, and everyday has none", "{ type: date, bounds:"],
    ["MAX(moment)", "MAX(moment) needs bounds", "{ type: timestamp, bounds:"],
    ["MEDIAN(hired, contribution_bounds_per_row => (0, 1))", "these values are times", "FILTER (WHERE"],
  ])("%s is refused", async (call, message, fix) => {
    const text = `SELECT ${call} FROM people`;
    const refused = await refusalOf(resolve(text));
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
    expect(refused.offset).toBe(text.indexOf(call));
  });

  test("bounds on one side are bounds", async () => {
    const cut = (where: string): Promise<QuantileAggregate> =>
      quantileOf(`MEDIAN(${where}(everyday, DATE '2020-01-01'))`);
    await expect(cut("LEAST")).resolves.toMatchObject({ time: "date" });
    await expect(cut("GREATEST")).resolves.toMatchObject({ time: "date" });
  });
});

describe("a quantile that is written wrongly is told its form", () => {
  test.each([
    ["MEDIAN()", "MEDIAN takes one argument", "write MEDIAN(x)"],
    ["MIN(*)", "MIN takes one argument", "write MIN(x)"],
    ["QUANTILE(wage)", "QUANTILE takes a value and a share", "write QUANTILE(x, 0.5)"],
    ["PERCENTILE_CONT(wage, -0.01)", "takes a share from 0 to 1", "0.5 for the median"],
    ["PERCENTILE_CONT(wage, NULL)", "takes a share from 0 to 1", "0.5 for the median"],
    ["PERCENTILE_CONT(wage, 0.5 ORDER BY age)", "ORDER BY inside the brackets", "WITHIN GROUP (ORDER BY x)"],
    ["MEDIAN(wage ORDER BY age)", "ORDER BY inside the brackets", "remove it"],
    ["MEDIAN() WITHIN GROUP (ORDER BY wage)", "takes a share, and one value to order by", "write MEDIAN(x)"],
    [
      "PERCENTILE_CONT() WITHIN GROUP (ORDER BY wage)",
      "takes a share, and one value",
      "write PERCENTILE_CONT(0.5) WITHIN",
    ],
    [
      "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY wage USING <)",
      "from the smallest value",
      "1 minus the share",
    ],
    ["MEDIAN(married)", "married is a boolean", "CAST"],
    ["MEDIAN(NULL::date)", "date", ""],
  ])("%s", async (call, message, fix) => {
    const refused = await refusalOf(resolve(`SELECT ${call} FROM people`));
    expect(refused.code).toMatch(/query\.(type|unsupported)/);
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
  });

  test.each([
    ["APPROX_QUANTILES(wage, 4) + 1", [0.25, 0.5, 0.75]],
    ["APPROX_QUANTILES(wage, 2) + 1", [0.5]],
    ["APPROX_QUANTILES(wage, 3) + 1", [0.333333, 0.666667]],
    ["APPROX_QUANTILES(wage, 20) + 1", Array.from({ length: 19 }, (_, at) => (at + 1) / 20)],
    ["QUANTILES(wage, ARRAY[0, 0.1, 1, 2, -1, age]) + 1", [0, 0.1, 1]],
    // What says no shares is shown with quarters.
    ["APPROX_QUANTILES(wage, 1) + 1", [0.25, 0.5, 0.75]],
    ["APPROX_QUANTILES(wage, 21) + 1", [0.25, 0.5, 0.75]],
    ["APPROX_QUANTILES(wage, 2.5) + 1", [0.25, 0.5, 0.75]],
    ["QUANTILES(wage) + 1", [0.25, 0.5, 0.75]],
    [`QUANTILES(wage, ARRAY[${Array(30).fill("0.5").join(", ")}]) + 1`, Array(20).fill(0.5)],
  ])("%.60s is several, as is shown", async (sql, shares) => {
    const { fix } = await refusalOf(resolve(`SELECT ${sql} FROM people`));
    const columns = shares.map((share) => `PERCENTILE_CONT(wage, ${share})`).join(", ");
    expect(fix).toContain(`write ${columns}: quantiles of one argument`);
  });
});
