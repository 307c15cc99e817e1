import { describe, expect, it, test } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { PostExpression, ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), testPolicy);
/** A column beside the keys sector, age, quarter and married. */
const computed = (sql: string, clauses = ""): Promise<ResolvedQuery> =>
  resolve(`SELECT ${sql} AS c FROM people GROUP BY sector, age, quarter, married ${clauses}`);

/** An expression over released rows as a line of text, with the places of its keys and aggregates. */
function writer({ groupBy, aggregates }: ResolvedQuery): (expression: PostExpression) => string {
  const written = (expression: PostExpression): string => {
    switch (expression.kind) {
      case "literal":
        return JSON.stringify(expression.value);
      case "key":
        return `k${groupBy.findIndex(({ name }) => name === expression.key)}`;
      case "grouped-away":
      case "other":
        return `${expression.kind} ${expression.key}`;
      case "aggregate":
        return `a${aggregates.findIndex(({ name }) => name === expression.aggregate)}`;
      case "call":
        return `${expression.operator}(${expression.args.map(written).join(", ")})`;
      case "case": {
        const branches = expression.branches.map(({ when, then }) => `${written(when)}: ${written(then)}`);
        return `case(${[...branches, written(expression.otherwise)].join("; ")})`;
      }
    }
  };
  return written;
}

describe("columns are computed from released ones", () => {
  test.each<[string, string, string]>([
    ["COUNT(*) + age", "number", "+(a0, k1)"],
    ["COUNT(*) - 1", "number", "-(a0, 1)"],
    ["COUNT(*) * 2 / 3 % 4", "number", "%(/(*(a0, 2), 3), 4)"],
    ["COUNT(*) ^ 2", "number", "power(a0, 2)"],
    ["COUNT(*) ^ -64", "number", "power(a0, -64)"],
    ["- (- COUNT(*))", "number", "negate(negate(a0))"],
    ["COUNT(*) = 1 AND NOT COUNT(*) <> 2 OR married", "boolean", "or(and(=(a0, 1), not(<>(a0, 2))), k3)"],
    ["COUNT(*) < 1 OR COUNT(*) <= 2", "boolean", "or(<(a0, 1), <=(a0, 2))"],
    ["COUNT(*) > 1 OR COUNT(*) >= 2", "boolean", "or(>(a0, 1), >=(a0, 2))"],
    ["COUNT(*) IS NULL OR age IS NOT NULL", "boolean", "or(is-null(a0), is-not-null(k1))"],
    ["COUNT(*) IN (1, 2)", "boolean", "in(a0, 1, 2)"],
    ["COUNT(*) NOT IN (1, 2)", "boolean", "not(in(a0, 1, 2))"],
    ["COUNT(*) BETWEEN 1 AND 2", "boolean", "and(>=(a0, 1), <=(a0, 2))"],
    ["COUNT(*) NOT BETWEEN 1 AND 2", "boolean", "not(and(>=(a0, 1), <=(a0, 2)))"],
    ["NULLIF(COUNT(*), 0)", "number", "nullif(a0, 0)"],
    [
      "COUNT(*) > 1 AND NULLIF(sector, 'other') = 'construction'",
      "boolean",
      'and(>(a0, 1), =(nullif(k0, "other"), "construction"))',
    ],
    ["LEAST(COUNT(*), age)", "number", "least(a0, k1)"],
    ["GREATEST(COUNT(*), age)", "number", "greatest(a0, k1)"],
    ["ABS(COUNT(*)) + SIGN(COUNT(*)) + FLOOR(AVG(wage))", "number", "+(+(abs(a0), sign(a0)), floor(a1))"],
    ["CEILING(AVG(wage)) + CEIL(AVG(wage))", "number", "+(ceil(a0), ceil(a0))"],
    [
      "LN(COUNT(*)) + LOG(COUNT(*)) + LOG10(COUNT(*)) + EXP(AVG(wage))",
      "number",
      "+(+(+(ln(a0), log10(a0)), log10(a0)), exp(a1))",
    ],
    ["MOD(COUNT(*), 7) + POW(COUNT(*), 0.5)", "number", "+(%(a0, 7), power(a0, 0.5))"],
    ["SAFE_DIVIDE(SUM(wage), COUNT(*))", "number", "/(a0, a1)"],
    ["ROUND(AVG(wage), -15)", "number", "round(a0, -15)"],
    ["ROUND(AVG(wage))", "number", "round(a0)"],
    ["COUNT(*)::int", "number", "to-integer(a0)"],
    ["COUNT(*)::numeric", "number", "a0"],
    [
      "CASE WHEN COUNT(*) > 1 THEN 1 WHEN married THEN NULL ELSE age END",
      "number",
      "case(>(a0, 1): 1; k3: null; k1)",
    ],
    ["CASE age WHEN 3 THEN COUNT(*) WHEN 4 THEN 0 END", "number", "case(=(k1, 3): a0; =(k1, 4): 0; null)"],
    ["CASE WHEN COUNT(*) > 1 THEN quarter END", "date", "case(>(a0, 1): k2; null)"],
    ["COALESCE(NULL, COUNT(*), 0)", "number", "coalesce(null, a0, 0)"],
    ["IFNULL(COUNT(*), 0)", "number", "coalesce(a0, 0)"],
    ["COUNT(*) > 1 AND quarter = '2020-01-31'", "boolean", 'and(>(a0, 1), =(k2, "2020-01-31"))'],
    ["COUNT(*) > 1 AND DATE '2020-01-31' < quarter", "boolean", 'and(>(a0, 1), <("2020-01-31", k2))'],
    [
      "COUNT(*) > 1 AND quarter IN ('2020-01-31', NULL)",
      "boolean",
      'and(>(a0, 1), in(k2, "2020-01-31", null))',
    ],
    ["MIN(hired) > '2020-01-31 10:00'", "boolean", '>(a0, "2020-01-31")'],
    ["MAX(seen) > '2020-01-31'", "boolean", '>(a0, "2020-01-31 00:00:00")'],
    ["COALESCE(MIN(hired), '2020-01-31')", "date", 'coalesce(a0, "2020-01-31")'],
  ])("%s", async (sql, type, expression) => {
    const query = await computed(sql);
    const [column] = query.outputs;
    expect(column).toMatchObject({ kind: "computed", type });
    expect(column?.kind === "computed" && writer(query)(column.expression)).toBe(expression);
  });

  test("correlations and regressions are made of their parts", async () => {
    const made = async (call: string): Promise<unknown> => {
      const query = await resolve(`SELECT ${call} FROM people`);
      const [column] = query.outputs;
      return [
        column?.kind === "computed" && writer(query)(column.expression),
        query.aggregates.map(({ kind }) => kind),
      ];
    };
    const correlation = "/(a2, *(a0, a1))";
    const within = `case(is-not-null(${correlation}): least(1, greatest(-1, ${correlation})); null)`;
    const kinds = ["stddev", "stddev", "covariance"];
    expect(await made("CORR(wage, age)")).toEqual([within, kinds]);
    expect(await made("REGR_R2(wage, age)")).toEqual([`power(${within}, 2)`, kinds]);
    expect(await made("REGR_SLOPE(wage, age)")).toEqual(["/(a0, a1)", ["covariance", "variance"]]);
    expect(await made("REGR_INTERCEPT(wage, age)")).toEqual([
      "-(a0, *(/(a1, a2), a3))",
      ["avg", "covariance", "variance", "avg"],
    ]);
    expect(await made("REGR_COUNT(wage, age)")).toEqual(["a0", ["count"]]);
    for (const name of ["REGR_SXX", "REGR_SYY"])
      expect(await made(`${name}(wage, age)`)).toEqual(["*(a0, a1)", ["count", "variance"]]);
    expect(await made("REGR_SXY(wage, age)")).toEqual(["*(a0, a1)", ["count", "covariance"]]);
    for (const [name, read] of [
      ["REGR_AVGX", "born"],
      ["REGR_AVGY", "balance"],
    ] as const) {
      const { aggregates } = await resolve(`SELECT ${name}(balance, born) FROM people`);
      expect(aggregates).toMatchObject([{ kind: "avg", argument: { name: read } }]);
    }
    const { aggregates } = await resolve(
      "SELECT REGR_SLOPE(balance, born), REGR_COUNT(balance, born) FROM people",
    );
    expect(aggregates).toMatchObject([
      { kind: "covariance", population: true },
      { kind: "variance", population: true, argument: { name: "born" } },
      { kind: "count", argument: null },
    ]);
  });

  test("an end of an interval is that of a column that has one", async () => {
    const { outputs } = await resolve(
      "SELECT COUNT(*) AS n, SUM(wage) / COUNT(*) AS m, DP_INTERVAL_LOW(m), dp_interval_high(N) AS high FROM people",
    );
    expect(outputs.slice(2)).toEqual([
      { name: "dp_interval_low", kind: "interval-end", end: "lower", output: "m" },
      { name: "high", kind: "interval-end", end: "upper", output: "n" },
    ]);
  });

  test.each([
    ["sector, COUNT(*) AS n, DP_INTERVAL_LOW(sector)", "the column sector has no interval", "DP_INTERVAL"],
    ["COUNT(*) > 3 AS many, DP_INTERVAL_LOW(many)", "the column many has no interval", "DP_INTERVAL"],
    [
      "COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low, DP_INTERVAL_HIGH(low)",
      "DP_INTERVAL_HIGH takes the name",
      "DP_INTERVAL_HIGH",
    ],
    ["COUNT(*) AS n, DP_INTERVAL_LOW(n, n)", "DP_INTERVAL_LOW takes the name", "DP_INTERVAL"],
    ["COUNT(*) AS n, DP_INTERVAL_LOW()", "DP_INTERVAL_LOW takes the name", "DP_INTERVAL"],
    ["COUNT(*) AS n, DP_INTERVAL_LOW(COUNT(*))", "DP_INTERVAL_LOW takes the name", "DP_INTERVAL"],
  ])("SELECT %s is refused", async (list, message, at) => {
    const text = `SELECT ${list} FROM people GROUP BY sector`;
    const refused = await refusalOf(resolve(text));
    expect(refused.message).toContain(message);
    expect(refused.offset).toBe(text.lastIndexOf(at));
  });

  test("and rows are not ordered by it", async () => {
    const text = "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low FROM people ORDER BY";
    for (const by of ["2", "low"])
      expect((await refusalOf(resolve(`${text} ${by}`))).message).toContain(
        "ordered by low, an end of an interval",
      );
  });
});

describe("what is no column of released rows is refused", () => {
  test.each([
    ["ROUND(AVG(wage), 1.5)", "query.type", "digits must be a constant", "such as ROUND(AVG(x), 2)"],
    ["ROUND(AVG(wage), 'a')", "query.type", "digits must be a constant", "ROUND"],
    ["POWER(AVG(wage), 65)", "query.type", "exponent must be a constant", "such as POWER(AVG(x), 2)"],
    ["AVG(wage) ^ -64.5", "query.type", "exponent must be a constant", "POWER"],
    ["POWER(AVG(wage), age)", "query.type", "exponent must be a constant", "POWER"],
    ["POWER(2, COUNT(*))", "query.type", "exponent must be a constant", "POWER"],
    ["COUNT(*) + sector", "query.type", "+ takes a number here, not a text", "without quotes"],
    ["COUNT(*) = sector", "query.type", "= takes a number here, not a text", "without quotes"],
    ["COUNT(*) = married", "query.type", "= takes a number here, not a boolean", "values of one type"],
    [
      "COALESCE(sector, COUNT(*))",
      "query.type",
      "coalesce takes a text here, not a number",
      "values of one type",
    ],
    ["LEAST(COUNT(*), sector)", "query.type", "least takes a number here", "without quotes"],
    ["NOT COUNT(*)", "query.type", "not takes a boolean here, not a number", "values of one type"],
    ["+ (COUNT(*) > 3)", "query.type", "+ takes a number here, not a boolean", "values of one type"],
    [
      "(COUNT(*) > 3)::numeric",
      "query.type",
      "a cast takes a number here, not a boolean",
      "values of one type",
    ],
    [
      "CASE WHEN COUNT(*) > 3 THEN sector ELSE 3 END",
      "query.type",
      "CASE takes a text here, not a number",
      "one type",
    ],
    [
      "CASE WHEN sector THEN COUNT(*) END",
      "query.type",
      "CASE WHEN takes a boolean here, not a text",
      "without quotes",
    ],
    [
      "COUNT(*) > 3 AND quarter > 'spring'",
      "query.type",
      "a date is written as year-month-day",
      "DATE '2020-02-29'",
    ],
    ["CAST(COUNT(*) AS bytea)", "query.unsupported", "the type bytea is not known", "cast to"],
    ["COUNT(*)::numeric(50, 20)", "query.unsupported", "precision", "numeric(10, 2)"],
    ["COUNT(*)::int[]", "query.unsupported", "int4", "cast to"],
    ["COUNT(*) # 3", "query.unsupported", "cannot stand inside", "each by itself"],
    ["~ COUNT(*)", "query.unsupported", "cannot stand inside", "each by itself"],
    ["ABS(COUNT(*), 2)", "query.type", "ABS takes 1 plain arguments", "write ABS(…)"],
    ["MOD(COUNT(*))", "query.type", "MOD takes 2 plain arguments", "write MOD(…)"],
    ["IFNULL(COUNT(*))", "query.type", "IFNULL takes 2 plain arguments", "write IFNULL(…)"],
    [
      "COUNT(*) + wage",
      "query.unsupported",
      "wage is neither a group nor an aggregate",
      "group by wage, or put it into",
    ],
  ])("%s", async (sql, code, message, fix) => {
    const refused = await refusalOf(computed(sql));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
  });

  it("is told what HAVING and ORDER BY work on", async () => {
    for (const clause of ["HAVING wage > 3", "ORDER BY wage + 1"]) {
      const { message, fix } = await refusalOf(computed("COUNT(*)", clause));
      expect(message).toMatch(/^wage is neither a group nor an aggregate$/);
      expect(fix).toContain("put the condition into WHERE");
    }
  });

  it("expressions grow to 5,000 parts and 100 levels", async () => {
    const sum = (parts: number): string => Array(parts).fill("COUNT(*)").join(" + ");
    const nested = (levels: number): string => `${"ABS(".repeat(levels)}COUNT(*)${")".repeat(levels)}`;
    await expect(computed(sum(80))).resolves.toBeDefined();
    await expect(computed(nested(100))).resolves.toBeDefined();
    expect((await refusalOf(computed(nested(101)))).code).toBe("query.too-large");
    // GREATEST of p is p + 1 parts, between two constants 2p + 7, and that between two constants 4p + 19.
    const wide = (parts: number): string =>
      `(GREATEST(${Array(parts).fill("COUNT(*)").join(", ")}) BETWEEN 1 AND 2) BETWEEN TRUE AND TRUE`;
    await expect(computed(wide(1_245))).resolves.toBeDefined();
    expect((await refusalOf(computed(wide(1_246)))).message).toContain("over released rows grows too large");
  });
});

describe("order, limit and offset", () => {
  const post = async (clauses: string): Promise<ResolvedQuery["post"]> =>
    (await resolve(`SELECT sector, COUNT(*) AS n FROM people GROUP BY sector ${clauses}`)).post;

  test.each([
    ["ORDER BY n", false, false],
    ["ORDER BY n DESC", true, true],
    ["ORDER BY n ASC NULLS FIRST", false, true],
    ["ORDER BY n DESC NULLS FIRST", true, true],
    ["ORDER BY n DESC NULLS LAST", true, false],
    ["ORDER BY n NULLS LAST", false, false],
  ])("%s", async (clauses, descending, nullsFirst) => {
    expect((await post(clauses)).orderBy).toMatchObject([{ descending, nullsFirst }]);
  });

  test.each([
    ["LIMIT NULL", null, 0],
    ["LIMIT 0", 0, 0],
    ["LIMIT 2147483647 OFFSET 0", 2_147_483_647, 0],
    ["ORDER BY n LIMIT 3 OFFSET 1", 3, 1],
    ["OFFSET NULL", null, 0],
  ])("%s", async (clauses, limit, offset) => {
    expect(await post(clauses)).toMatchObject({ limit, offset });
  });

  test.each([
    ["LIMIT 2147483648", "LIMIT takes a whole number", "2147483648"],
    ["LIMIT 'a'", "LIMIT takes a whole number", "'a'"],
    ["ORDER BY n OFFSET 1.5", "OFFSET takes a whole number", "1.5"],
    ["LIMIT 5 OFFSET 1", "OFFSET needs ORDER BY", "1"],
    ["ORDER BY 3", "ORDER BY takes a column's place (1 to 2)", "3"],
    ["HAVING n", "HAVING takes a condition", "n"],
  ])("%s is refused at its place", async (clauses, message, at) => {
    const text = `SELECT sector, COUNT(*) AS n FROM people GROUP BY sector ${clauses}`;
    const refused = await refusalOf(resolve(text));
    expect(refused.message).toContain(message);
    expect(refused.offset).toBe(text.lastIndexOf(at));
  });
});
