import { describe, expect, it, test } from "vitest";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { writeName, writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { defaultName, distinctNames } from "../names/output-name.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

/** An expression over the people of the test policy, as a value that is counted. */
async function resolved(sql: string): Promise<Expression> {
  const text = `SELECT COUNT(*) FROM people WHERE (${sql}) IS NOT DISTINCT FROM NULL OR TRUE`;
  const { where } = resolveQuestion(await parseQuestion(text), testPolicy);
  const tested = where?.kind === "call" ? where.args[0] : undefined;
  if (tested?.kind !== "call") throw new Error("a condition is due");
  return tested.args[0]!;
}
const refused = (sql: string): ReturnType<typeof refusalOf> => refusalOf(resolved(sql));

describe("functions are known by the names people call them", () => {
  const name = "a bc";
  test.each<[string, unknown]>([
    ["ABS(-3)", 3],
    ["SIGN(-3)", -1],
    ["FLOOR(2.5)", 2],
    ["CEIL(2.5) + CEILING(2.5)", 6],
    ["ROUND(2.5) + ROUND(1.25, 1)", 4.3],
    ["TRUNC(-2.5)", -2],
    ["DIV(-7, 2)", -3],
    ["SQRT(9) + |/ 9", 6],
    ["LN(1) + LOG(100) + LOG10(1000)", 5],
    ["EXP(0)", 1],
    ["POWER(2, 3) + POW(2, 3) + 2 ^ 3", 24],
    ["MOD(7, 4)", 3],
    ["SAFE_DIVIDE(1, 0)", null],
    ["WIDTH_BUCKET(5, 0, 10, 2)", 2],
    ["UPPER(name) || LOWER('ABC')", "A BCabc"],
    ["TRIM(' a ') || BTRIM(' b ') || LTRIM(' c ') || RTRIM(' d ')", "abc  d"],
    ["LENGTH(name) + CHAR_LENGTH(name) + CHARACTER_LENGTH(name)", 12],
    ["LEFT(name, 1) || RIGHT(name, 2)", "abc"],
    ["SUBSTR(name, 3) || SUBSTRING(name, 1, 1) || SUBSTRING(name FROM 3 FOR 1)", "bcab"],
    ["REPLACE(name, 'b', '')", "a c"],
    ["STRPOS(name, 'c') + POSITION('b' IN name)", 7],
    ["STARTS_WITH(name, 'a ')", true],
    ["ENDS_WITH(name, 'a')", false],
    ["ENDS_WITH(name, 'bc')", true],
    ["CONTAINS(name, ' b')", true],
    ["STARTS_WITH(name, 'b')", false],
    ["CONTAINS(name, '%')", false],
    ["CONCAT(name, NULL, 1, TRUE)", "a bc1true"],
    ["IFNULL(NULL, 3)", 3],
    ["COALESCE(NULL, NULL, 3)", 3],
    ["LEAST(3, 1, 2)", 1],
    ["GREATEST(3, 1, 2)", 3],
    ["YEAR(quarter) * 100 + MONTH(quarter)", 202_002],
    ["QUARTER(quarter) * 1000 + WEEK(quarter) * 10 + DAY(quarter)", 1000 + 90 + 29],
    ["DAYOFWEEK(quarter)", 6],
    ["DAYOFYEAR(quarter)", 60],
    ["HOUR(seen) * 100 + MINUTE(seen)", 2_215],
    ["DATE(seen) - DATE '1969-12-30'", 1],
    ["EXTRACT(dow FROM quarter) + DATE_PART('doy', quarter)", 66],
    ["EXTRACT(dayofweek FROM quarter)", 6],
    ["CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' ELSE 'c' END", "b"],
    ["CASE WHEN 1 = 2 THEN 'a' END", null],
    ["5 BETWEEN SYMMETRIC 9 AND 1", true],
    ["5 NOT BETWEEN SYMMETRIC 9 AND 1", false],
    ["5 NOT BETWEEN 1 AND 9", false],
    ["5 NOT IN (1, 5)", false],
    ["name NOT LIKE 'A%'", true],
    ["name ILIKE 'A B%'", true],
    ["name NOT ILIKE 'A B%'", false],
    ["name LIKE 'a!%' ESCAPE '!'", false],
    ["- (1 + 2) * +3", -9],
    ["@ -4", 4],
    ["TRUE IS NOT TRUE", false],
    ["FALSE IS NOT FALSE", false],
    ["(NULL = 1) IS UNKNOWN", true],
    ["(NULL = 1) IS NOT UNKNOWN", false],
    ["1 IS DISTINCT FROM NULL", true],
    ["NULLIF(3, 3)", null],
    ["'7'::int8 + '1.5'::double precision", 8.5],
    ["TRUE::int2 + FALSE::float4", 1],
    ["5::bool", true],
    ["5::text || TRUE::varchar", "5true"],
    ["1_000 + 0x1F + .5 + 1e2", 1131.5],
  ])("%s", async (sql, value) => {
    const row = { name, quarter: Date.parse("2020-02-29") / 86_400_000, seen: -6_300_000_000 };
    const found = evaluate(await resolved(sql), row);
    if (typeof value === "number") expect(found).toBeCloseTo(value, 10);
    else expect(found).toBe(value);
  });
});

describe("constants of a call lie within their limits", () => {
  test.each([
    ["ROUND(wage, 15)", "ROUND(wage, 16)"],
    ["ROUND(wage, -15)", "ROUND(wage, -16)"],
    ["ROUND(wage, 1)", "ROUND(wage, 1.5)"],
    ["POWER(wage, 64)", "POWER(wage, 64.5)"],
    ["POWER(wage, -64)", "POWER(wage, -65)"],
    ["LEFT(name, 0)", "LEFT(name, -1)"],
    ["LEFT(name, 10000)", "LEFT(name, 10001)"],
    ["RIGHT(name, 0)", "RIGHT(name, -1)"],
    ["RIGHT(name, 10000)", "RIGHT(name, 10001)"],
    ["RIGHT(name, 2)", "RIGHT(name, 2.5)"],
    ["SUBSTR(name, 1)", "SUBSTR(name, 0)"],
    ["SUBSTR(name, 10000)", "SUBSTR(name, 10001)"],
    ["SUBSTR(name, 1, 0)", "SUBSTR(name, 1, -1)"],
    ["SUBSTR(name, 1, 10000)", "SUBSTR(name, 1, 10001)"],
    ["SUBSTR(name, 2)", "SUBSTR(name, 1.5)"],
    ["REPLACE(name, 'a', '')", "REPLACE(name, '', 'a')"],
    [`REPLACE(name, '${"é".repeat(256)}', 'b')`, `REPLACE(name, '${"é".repeat(257)}', 'b')`],
    [`REPLACE(name, 'a', '${"b".repeat(256)}')`, `REPLACE(name, 'a', '${"b".repeat(257)}')`],
    ["REPLACE(name, 'a', 'b')", "REPLACE(name, 'a', NULL)"],
    ["STRPOS(name, 'a')", "STRPOS(name, '')"],
    ["STRPOS(name, 'a')", "STRPOS(name, sector)"],
    ["STARTS_WITH(name, 'a')", "STARTS_WITH(name, NULL)"],
    ["CONTAINS(name, 'a')", "CONTAINS(age, 'a')"],
    ["WIDTH_BUCKET(wage, 0, 1, 10000)", "WIDTH_BUCKET(wage, 0, 1, 10001)"],
    ["WIDTH_BUCKET(wage, 0, 1, 1)", "WIDTH_BUCKET(wage, 0, 1, 0)"],
    ["WIDTH_BUCKET(wage, 0, 1, 2)", "WIDTH_BUCKET(wage, 1, 1, 2)"],
    [`WIDTH_BUCKET(wage, 0, ${2 ** 50}, 2)`, `WIDTH_BUCKET(wage, 0, ${2 ** 50 + 1}, 2)`],
    [`WIDTH_BUCKET(wage, -${2 ** 50}, 0, 2)`, `WIDTH_BUCKET(wage, -${2 ** 50 + 1}, 0, 2)`],
    ["WIDTH_BUCKET(wage, 0, 1, 2)", "WIDTH_BUCKET(wage, age, 100, 2)"],
    ["WIDTH_BUCKET(wage, 0, 1, 2)", "WIDTH_BUCKET(wage, 0, age, 2)"],
    ["CONCAT(name, 'a')", "CONCAT(name, wage)"],
    ["DATE_TRUNC('Years', hired)", "DATE_TRUNC('century', hired)"],
    ["DATE_TRUNC('day', hired)", "DATE_TRUNC('minute', hired)"],
    ["DATE_TRUNC('second', seen)", "DATE_TRUNC(name, seen)"],
    ["EXTRACT(minute FROM seen)", "EXTRACT(minute FROM hired)"],
    ["EXTRACT(isodow FROM hired)", "EXTRACT(hour FROM hired)"],
    ["hired + 91000", "hired + 91001"],
    ["hired - 91000", "hired - 1.5"],
    ["hired < '2020-01-31'", "hired < 'soon'"],
  ])("%.60s is known, and %.60s is refused", async (known, unknown) => {
    await expect(resolved(known)).resolves.toBeDefined();
    expect((await refused(unknown)).code).toBe("query.type");
  });

  test("patterns have up to 256 characters", async () => {
    await expect(resolved(`name LIKE '${"a".repeat(256)}'`)).resolves.toBeDefined();
    expect((await refused(`name LIKE '${"a".repeat(257)}'`)).code).toBe("query.too-large");
    await expect(resolved("name LIKE 'a%' ESCAPE ''")).resolves.toBeDefined();
    for (const unknown of ["name ILIKE 'a\u007f'", "name LIKE 'a' ESCAPE 'xy'", "name LIKE NULL"])
      expect((await refused(unknown)).code).toBe("query.unsupported");
    await expect(resolved("name ILIKE 'a ~'")).resolves.toBeDefined();
  });

  test("expressions nest to 100 levels", async () => {
    const nested = (levels: number): string => `${"ABS(".repeat(levels)}wage${")".repeat(levels)}`;
    // OR and IS NOT DISTINCT FROM stand around it.
    await expect(resolved(nested(98))).resolves.toBeDefined();
    expect((await refused(nested(99))).message).toContain("deeper than 100 levels");
  });

  test("texts grow to 100,000 characters", async () => {
    // 120 characters, each of which may become 100, and each of those as many more.
    const ten = Array(10).fill("name").join(" || ");
    const longer = (most: number): string =>
      `LENGTH(REPLACE(REPLACE(${ten}, 'a', '${"b".repeat(100)}'), 'b', '${"c".repeat(most)}'))`;
    expect((await resolved(longer(8))).domain).toMatchObject({ bounds: [0, 96_000] });
    expect((await refused(longer(9))).message).toContain("grows beyond 100000 characters");
  });
});

describe("a value of another type is told its conversion", () => {
  test.each([
    ["married + 1", "write CAST(married AS integer)"],
    ["sector + 1", "write CAST(sector AS double precision)"],
    ["'5' + 1", "write a number without quotes"],
    ["- hired", "write hired - DATE '2000-01-01', a number of days"],
    ["- seen", "write EXTRACT(epoch FROM seen), a number of seconds"],
    ["LOWER(age)", "write CAST(age AS text)"],
    ["LOWER(5)", "write '5'"],
    ["LEFT(age, 2)", "write CAST(age AS text)"],
    ["RIGHT(married, 2)", "write CAST(married AS text)"],
    ["LOWER(hired)", "write CAST(hired AS text)"],
    ["LOWER(seen)", "write CAST(CAST(seen AS date) AS text)"],
    ["NOT sector", "write sector = '…'"],
    ["NOT age", "write age <> 0"],
    ["NOT hired", "write hired >= DATE '2000-01-01'"],
    ["NOT seen", "write seen >= TIMESTAMP '2000-01-01'"],
    ["NOT 1", "write TRUE"],
    ["NOT 0", "write FALSE"],
    ["NOT 2", "write 2 <> 0"],
    ["hired = name", "write CAST(name AS date)"],
    ["seen = name", "write CAST(name AS timestamp)"],
    ["hired = age", "write DATE '2020-02-29', or compare EXTRACT(year FROM …)"],
    ["seen = age", "write TIMESTAMP '2020-02-29 12:30:00'"],
    ["EXTRACT(year FROM name)", "write CAST(name AS timestamp)"],
    ["wage::text", "round it to an integer first: CAST(wage AS bigint)"],
    ["name::varchar(30000)", "varchar(20)"],
    ["wage::numeric(40, 30)", "numeric(10, 2) with at most 15 digits"],
    ["hired::timestamp(3)", "CAST(hired AS timestamp)"],
    ["name::time", "write t::time BETWEEN TIME"],
    ["name::jsonb", "cast to double precision, bigint"],
    ["name::constructor", "cast to double precision, bigint"],
    ["age !~ 'a'", "write CAST(age AS text)"],
    ["age # 2", "write it with + - * / % ^ ||"],
    ["# age", "write it with + - * / % ^"],
    ["EXTRACT(millisecond FROM seen)", "write EXTRACT(epoch FROM t)"],
    ["EXTRACT(yeer FROM seen)", 'did you mean "year"?'],
    ["DATE_TRUNC('mont', seen)", 'did you mean "month"?'],
  ])("%s", async (sql, fix) => {
    expect((await refused(sql)).fix).toContain(fix);
  });
});

describe("what is written as SQL", () => {
  test.each([
    ["- (- wage)", "- (- wage)"],
    ["- (-1 * wage)", "- ((-1) * wage)"],
    ["NOT (married AND member)", "NOT (married AND member)"],
    ["(wage + 1) IS NULL", "(wage + 1) IS NULL"],
    ["(name || 'a') LIKE 'b%'", "(name || 'a') LIKE 'b%'"],
    ["(wage + 1) IN (1, 2 + age)", "(wage + 1) IN (1, 2 + age)"],
    ["ABS(wage + 1)", "ABS(wage + 1)"],
    ["(hired + INTERVAL '1 month') > DATE '2020-01-01'", "(hired + INTERVAL '1 months') > DATE '2020-01-01'"],
    ["CASE WHEN married THEN -1 END + 1", "CASE WHEN married THEN -1 ELSE NULL END + 1"],
    ["(married AND member) AND married", "married AND member AND married"],
    ["married AND (member OR married) OR member", "(married AND (member OR married)) OR member"],
    ["CAST(wage > 1 AS text)", "CAST(wage > 1 AS text)"],
    ["hired + 0 = quarter", "(hired + INTERVAL '0 days') = quarter"],
  ])("%s", async (sql, written) => {
    expect(writeSql(await resolved(sql))).toBe(written);
    expect(writeSql(await resolved(written))).toBe(written);
  });

  it("names stand bare where PostgreSQL reads them back so", () => {
    expect(["a_1", "_a", "A", "1a", "select", "user", "json_x", 'a"b', "é", ""].map(writeName)).toEqual([
      "a_1",
      "_a",
      '"A"',
      '"1a"',
      '"select"',
      '"user"',
      '"json_x"',
      '"a""b"',
      '"é"',
      '""',
    ]);
  });
});

describe("output columns", () => {
  it("have the names that PostgreSQL gives them", async () => {
    const { select } = await parseQuestion(
      "SELECT t.a, f(x), CAST(a AS text), CAST(1 + 1 AS text), CAST(f(x) AS int), GROUPING(a), CASE WHEN b THEN 1 END, COALESCE(a, b), LEAST(a, b), GREATEST(a, b), a + b, 1, *",
    );
    const names = (select.targetList ?? []).map(
      (node) => "ResTarget" in node && defaultName(node.ResTarget.val!),
    );
    expect(names).toEqual([
      "a",
      "f",
      "a",
      "text",
      "f",
      "grouping",
      "case",
      "coalesce",
      "least",
      "greatest",
      "?column?",
      "?column?",
      "?column?",
    ]);
  });

  it("are told apart", () => {
    expect(distinctNames(["a", "a", "b", "a", "a_2", "b"])).toEqual(["a", "a_2", "b", "a_3", "a_2_2", "b_2"]);
  });
});
