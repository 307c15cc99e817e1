import { describe, expect, it, test } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { Aggregate, Covariance, ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), testPolicy);
const aggregatesOf = async (list: string, table = "people"): Promise<readonly Aggregate[]> =>
  (await resolve(`SELECT ${list} FROM ${table}`)).aggregates;

describe("aggregates are one where they measure the same", () => {
  test.each([
    ["COUNT(*), COUNT(sector), COUNT(1)", 1],
    ["COUNT(*), COUNT(wage), COUNT(age)", 3],
    ["COUNT(*), COUNT(*) FILTER (WHERE married), COUNT(*) FILTER (WHERE member)", 3],
    ["VARIANCE(wage), VAR_SAMP(wage)", 1],
    ["VAR_SAMP(wage), VAR_POP(wage), STDDEV_SAMP(wage), STDDEV_POP(wage), AVG(wage), SUM(wage)", 6],
    ["COVAR_POP(wage, age), COVAR_POP(age, wage)", 1],
    ["COVAR_POP(wage, age), COVAR_SAMP(wage, age), COVAR_POP(wage, balance)", 3],
    ["COUNT(DISTINCT wage), COUNT(DISTINCT age), COUNT(age)", 3],
    ["MEDIAN(wage), PERCENTILE_CONT(wage, 0.5), QUANTILE(wage, 0.5)", 1],
    ["MIN(wage), MAX(wage), PERCENTILE_CONT(wage, 0.01), PERCENTILE_CONT(wage, 0.99)", 4],
    ["MEDIAN(wage), MEDIAN(wage, contribution_bounds_per_row => (0, 9)), MEDIAN(hired)", 3],
  ])("%s are %i", async (list, count) => {
    expect(await aggregatesOf(list)).toHaveLength(count);
  });

  test.each(["SUM"])("%s differs with its bounds", async (name) => {
    const bounds = [
      "",
      ", contribution_bounds_per_row => (0, 10)",
      ", contribution_bounds_per_row => (0, 11)",
      ", contribution_bounds_per_row => (1, 10)",
      ", contribution_bounds_per_group => (0, 10)",
      ", contribution_bounds_per_row => auto",
    ];
    const list = bounds.map((bound) => `${name}(wage${bound})`);
    const aggregates = await aggregatesOf([...list, ...list].join(", "));
    expect(aggregates.map((each) => "bounds" in each && each.bounds)).toEqual([
      null,
      { per: "row", lo: 0, hi: 10 },
      { per: "row", lo: 0, hi: 11 },
      { per: "row", lo: 1, hi: 10 },
      { per: "group", lo: 0, hi: 10 },
      { per: "auto" },
    ]);
  });

  test("units are counted apart by what they are filtered by", async () => {
    const filtered = (condition: string): string => `COUNT(DISTINCT pid) FILTER (WHERE ${condition})`;
    const aggregates = await aggregatesOf(
      ["COUNT(DISTINCT pid)", filtered("cost > 1"), filtered("cost > 2"), filtered("cost > 1")].join(", "),
      "visits",
    );
    expect(aggregates).toMatchObject([
      { kind: "count-units" },
      { kind: "count-units-with", written: "cost > 1" },
      { kind: "count-units-with", written: "cost > 2" },
    ]);
  });
});

describe("bounds of a call", () => {
  const bounded = (name: string, bounds: string): Promise<readonly Aggregate[]> =>
    aggregatesOf(`${name}(wage, ${bounds})`);
  const largest = 2 ** 50;

  test("reach to 2^50 on both sides", async () => {
    for (const [lo, hi] of [
      [0, largest],
      [-largest, 0],
      [-largest, largest],
      [-0.25, 0.5],
    ] as const)
      expect(await bounded("SUM", `contribution_bounds_per_row => (${lo}, ${hi})`)).toMatchObject([
        { bounds: { per: "row", lo, hi } },
      ]);
    for (const pair of [`0, ${largest + 1}`, `-${largest + 1}, 0`, "1, 0", "2, 2"])
      await expect(bounded("SUM", `contribution_bounds_per_row => (${pair})`)).rejects.toMatchObject({
        code: "query.option",
        message: expect.stringContaining("a lower and a higher number"),
      });
  });

  test.each(["SUM", "AVG", "VARIANCE", "STDDEV_POP"])(
    "are learned a row where %s asks for it",
    async (name) => {
      for (const written of ["contribution_bounds_per_row", '"Contribution_Bounds_Per_Row"'])
        expect(await bounded(name, `${written} => auto`)).toMatchObject([{ bounds: { per: "auto" } }]);
    },
  );

  test.each([
    ["SUM(wage, contribution_bounds_per_group => auto)", "learned only per row"],
    ["AVG(wage, contribution_bounds_per_group => auto)", "learned only per row"],
    ["MEDIAN(wage, contribution_bounds_per_row => auto)", "learned only per row"],
    ["COUNT(wage, contribution_bounds_per_row => (0, 2))", "COUNT takes bounds per group"],
    ["COUNT(DISTINCT wage, contribution_bounds_per_group => (0, 2))", "takes no bounds"],
    ["SUM(wage, report_format => 'PROTO')", "report_format is"],
    ["SUM(wage, contribution_bounds_per_row => p.auto)", "takes two numbers"],
    ["SUM(wage, contribution_bounds_per_row => age)", "takes two numbers"],
    ["SUM(wage, contribution_bounds_per_row => (0, 'a'))", "takes two numbers"],
    ["SUM(wage, contribution_bounds_per_row => (0, NULL))", "takes two numbers"],
    [
      "SUM(wage, contribution_bounds_per_row => auto, contribution_bounds_per_group => (0, 1))",
      "one pair of bounds",
    ],
    ["MAX(wage, contribution_bounds_per_group => (0, 1))", "quantiles take bounds per row"],
    ["SUM(wage, contribution_bound_per_row => (0, 1))", "there is no argument contribution_bound_per_row"],
    ['SUM(wage, "toString" => (0, 1))', "there is no argument toString"],
  ])("%s is refused", async (call, message) => {
    const text = `SELECT ${call} FROM people p`;
    const refused = await refusalOf(resolve(text));
    expect(refused.code).toBe("query.option");
    expect(refused.message).toContain(message);
    expect(text.slice(refused.offset)).toMatch(/^"?(contribution|toString|report|COUNT)/i);
  });

  test.each([
    [
      "COUNT(*, contribution_bounds_per_group => (0, 5))",
      { kind: "sum", bounds: { per: "group", lo: 0, hi: 5 } },
    ],
    [
      "COUNT(wage, contribution_bounds_per_group => (0, 1))",
      { kind: "sum", bounds: { per: "group", hi: 1 } },
    ],
    [
      "AVG(wage, contribution_bounds_per_group => (0, 9))",
      { kind: "avg", bounds: { per: "row", lo: 0, hi: 9 } },
    ],
    ["STDDEV(wage, contribution_bounds_per_group => (0, 9))", { bounds: { per: "row", lo: 0, hi: 9 } }],
    [
      "SUM(wage, contribution_bounds_per_row => (0, 9), report_format => 'JSON')",
      { bounds: { per: "row", hi: 9 } },
    ],
    ["COUNT(*, report_format => 'default')", { kind: "count", argument: null }],
  ])("%s is what BigQuery writes", async (call, asked) => {
    const { aggregates } = await resolve(`SELECT ${call} FROM people p`);
    expect(aggregates).toMatchObject([asked]);
  });

  test("a misspelled one is told its name", async () => {
    const { fix } = await refusalOf(
      resolve("SELECT SUM(wage, contribution_bound_per_row => (0, 1)) FROM people"),
    );
    expect(fix).toContain('did you mean "contribution_bounds_per_row"?');
  });
});

describe("a pair is of the rows where both are known", () => {
  const pairOf = async (list: string): Promise<readonly (string | boolean)[]> => {
    const [pair] = (await aggregatesOf(list)) as readonly Covariance[];
    const { argument, other, present } = pair!;
    return [writeSql(argument), writeSql(other), writeSql(present)];
  };
  const where = (known: string, value: string): string =>
    `CASE WHEN ${known} IS NOT NULL THEN ${value} ELSE NULL END`;

  // wage, age and grade may be NULL; born and balance are never.
  test.each([
    ["both may be NULL", "wage, age", [where("wage", "age"), where("age", "wage"), where("wage", "age")]],
    ["one may be NULL", "wage, born", [where("wage", "born"), "wage", "wage"]],
    ["the other may be NULL", "born, wage", [where("wage", "born"), "wage", "wage"]],
    ["an earlier name may be NULL", "born, age", ["age", where("age", "born"), "age"]],
    ["neither may be NULL", "born, balance", ["balance", "born", "born"]],
    ["they are the same", "wage, wage", ["wage", "wage", "wage"]],
  ])("%s: COVAR_POP(%s)", async (_, list, expected) => {
    expect(await pairOf(`COVAR_POP(${list})`)).toEqual(expected);
  });

  test.each([
    ["COVAR_POP(wage)", "query.type", "takes two arguments", /write COVAR_POP\(y, x\)/],
    ["COVAR_POP(wage, age, born)", "query.type", "takes two arguments", /write COVAR_POP\(y, x\)/],
    ["COVAR_POP(DISTINCT wage, age)", "query.unsupported", "DISTINCT", /remove DISTINCT/],
    ["REGR_R2(DISTINCT wage, age)", "query.unsupported", "distinct pairs", /remove DISTINCT/],
    ["CORR(wage, NULLIF(1, 1))", "query.type", "is always NULL", /CORR of something that has values/],
    ["CORR(wage, married)", "query.type", "married is a boolean", /CAST/],
  ])("%s is refused", async (call, code, message, fix) => {
    const refused = await refusalOf(resolve(`SELECT ${call} FROM people`));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(message);
    expect(refused.fix).toMatch(fix);
  });
});

describe("an aggregate that is written wrongly is told its form", () => {
  it.each([
    ["COUNT(wage, age)", "query.type", "write COUNT(*)"],
    ["COUNT_IF(*)", "query.type", "write COUNT_IF(x)"],
    ["COUNTIF(married, member)", "query.type", "write COUNTIF(x)"],
    ["AVG(*)", "query.type", "write AVG(x)"],
    ["SUM()", "query.type", "write SUM(x)"],
    ["COUNTIF(DISTINCT married)", "query.unsupported", "remove DISTINCT"],
    ["SKEWNESS(DISTINCT wage)", "query.unsupported", "remove DISTINCT"],
    ["VARIANCE(NULLIF(1, 1))", "query.type", "VARIANCE of something that has values"],
    ["APPROX_COUNT_DISTINCT(*)", "query.type", "count each by itself"],
    ["HISTOGRAM(wage)", "query.unsupported", "WIDTH_BUCKET(x, lo, hi, n), COUNT(*)"],
    ["LIST(wage)", "query.unsupported", "ask for COUNT, SUM, AVG"],
  ])("%s", async (call, code, fix) => {
    const text = `SELECT ${call} FROM people`;
    const refused = await refusalOf(resolve(text));
    expect(refused.code).toBe(code);
    expect(refused.fix).toContain(fix);
    expect(refused.offset).toBe(text.indexOf(call));
  });
});
