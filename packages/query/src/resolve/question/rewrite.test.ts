import { describe, expect, it, test } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { testPolicy } from "../testing/test-policy.ts";
import { resolveQuestion } from "./resolve-question.ts";

const shop = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  items: { file: a.duckdb, unit: person, columns: {
    person: { type: text }, price: { type: integer, bounds: [1, 6] }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, rank: { type: integer, bounds: [0, 9] } } }
`);

const resolve = async (text: string, policy: Policy): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);

/** The question that a refusal suggests, which is accepted. */
async function suggested(text: string, policy: Policy = testPolicy): Promise<unknown> {
  const { fields, fix } = await refusalOf(resolve(text, policy));
  const { rewrite } = fields;
  if (typeof rewrite === "string") {
    const { rewriteDiffers: differs } = fields;
    expect(fix).toContain(
      differs === undefined ? `; for example: ${rewrite}` : `; a question near it, ${differs}: ${rewrite}`,
    );
    await expect(resolve(rewrite, policy)).resolves.toBeDefined();
  }
  return rewrite;
}

describe("a refused question is suggested anew", () => {
  test.each([
    [
      "over the table that a CTE asks, past those that ask none",
      "WITH a AS (SELECT 1 AS one), b AS (SELECT AVG(wage) AS w FROM people) SELECT FIRST(w) FROM b",
      "SELECT AVG(wage) FROM people",
    ],
    [
      "over the table that a subquery asks, past VALUES",
      "SELECT FIRST(x) FROM (VALUES (1)) v CROSS JOIN (SELECT SUM(wage) AS x FROM people) t",
      "SELECT SUM(wage) FROM people",
    ],
    ["with the nearest table", "SELECT FIRST(cost) FROM visit", 'SELECT AVG(cost) FROM "Visits"'],
    [
      "with the nearest column",
      "SELECT sectr, AVG(wages) FROM people GROUP BY 1",
      "SELECT sector, AVG(wage) FROM people GROUP BY sector",
    ],
    [
      "by the names that the question gives to its tables",
      "SELECT FIRST(v.cost) FROM visits v JOIN nowhere n ON TRUE WHERE v.cost > 3",
      'SELECT AVG(cost) FROM "Visits" WHERE cost > 3',
    ],
    ["of rows that are shown, as their number", "SELECT * FROM people", "SELECT COUNT(*) FROM people"],
    [
      "without the list of a subquery that shows rows",
      "SELECT FIRST(a) FROM (SELECT age AS a FROM people) t",
      "SELECT age, COUNT(*) FROM people GROUP BY age",
    ],
    [
      "with each key of its groupings once",
      "SELECT FIRST(age) FROM people GROUP BY ROLLUP (sector, married), sector",
      "SELECT sector, married, AVG(age) FROM people GROUP BY sector, married",
    ],
    [
      "with the key of the list and of GROUP BY",
      "SELECT sector, FIRST(age) FROM people GROUP BY 1, married",
      "SELECT sector, married, AVG(age) FROM people GROUP BY sector, married",
    ],
    [
      "without what is no condition",
      "SELECT FIRST(age) FROM people WHERE wage",
      "SELECT AVG(age) FROM people",
    ],
    [
      "without a condition that is not known",
      "SELECT AVG(age) FROM people WHERE name @@ 'a'",
      "SELECT AVG(age) FROM people",
    ],
    [
      "with a condition that is",
      "SELECT FIRST(age) FROM people WHERE married",
      "SELECT AVG(age) FROM people WHERE married",
    ],
  ])("%s", async (_, text, rewrite) => {
    expect(await suggested(text)).toBe(rewrite);
  });

  test.each([
    ["FIRST(wage)", "AVG(wage)"],
    ["FIRST(sector)", "COUNT(*)"],
    ["PERCENTILE_CONT(2) WITHIN GROUP (ORDER BY wage)", "MEDIAN(wage)"],
    ["PERCENTILE_CONT(wage, 1.5)", "MEDIAN(wage)"],
    ["COUNT(DISTINCT wage, age)", "COUNT(wage)"],
    ["SUM(wage, age)", "AVG(wage)"],
    ["CORR(wage, age) OVER ()", "CORR(wage, age)"],
    ["REGR_COUNT(DISTINCT wage, age)", "REGR_COUNT(wage, age)"],
    ["SUM(DISTINCT wage) OVER ()", "SUM(DISTINCT wage)"],
    ["SKEWNESS(DISTINCT wage) OVER ()", "SKEWNESS(wage)"],
    ["FIRST(age), SUM(anything)", "AVG(age), SUM(anything, contribution_bounds_per_row => auto)"],
    ["FIRST(age), MEDIAN(anything)", "AVG(age), COUNT(anything)"],
    ["FIRST(anything)", "AVG(anything, contribution_bounds_per_row => auto)"],
    [
      "FIRST(age), SUM(anything, contribution_bounds_per_row => (0, 5))",
      "AVG(age), SUM(anything, contribution_bounds_per_row => (0, 5))",
    ],
    ["BOOL_AND(age)", "AVG(age)"],
    ["FIRST(age), AVG(age), COUNT(*), COUNT(1)", "AVG(age), COUNT(*)"],
    ["EVERY(age > 30) FILTER (WHERE member)", "COUNT(*) FILTER (WHERE member AND (NOT (age > 30)))"],
  ])("with an aggregate that is answered: %s → %s", async (list, rewritten) => {
    expect(await suggested(`SELECT ${list} FROM people`)).toBe(`SELECT ${rewritten} FROM people`);
  });

  test.each([
    ["HISTOGRAM(wage)", 10],
    ["HISTOGRAM(wage, 1)", 1],
    ["HISTOGRAM(wage, 25)", 25],
    ["HISTOGRAM(wage, 1000)", 1000],
    ["HISTOGRAM(wage, 1001)", 10],
    ["HISTOGRAM(wage, 0)", 10],
    ["HISTOGRAM(wage, 2.5)", 10],
    ["HISTOGRAM(wage, age)", 10],
  ])("%s becomes %i buckets", async (histogram, buckets) => {
    const key = `WIDTH_BUCKET(wage, 0, 60, ${buckets})`;
    expect(await suggested(`SELECT ${histogram} FROM people`)).toBe(
      `SELECT ${key}, COUNT(*) FROM people GROUP BY ${key}`,
    );
  });

  it("buckets stand among other keys and aggregates, where there are bounds to cut", async () => {
    expect(await suggested("SELECT sector, HISTOGRAM(age, 3), FIRST(wage) FROM people GROUP BY 1")).toBe(
      "SELECT sector, WIDTH_BUCKET(age, 16, 90, 3), COUNT(*), AVG(wage) FROM people GROUP BY sector, WIDTH_BUCKET(age, 16, 90, 3)",
    );
    expect(await suggested("SELECT HISTOGRAM(anything) FROM people")).toBe(
      "SELECT AVG(anything, contribution_bounds_per_row => auto) FROM people",
    );
    expect(await suggested("SELECT HISTOGRAM(sector) FROM people")).toBe("SELECT COUNT(*) FROM people");
  });

  it("shows ten keys and ten aggregates at most", async () => {
    const keys = Array.from({ length: 12 }, (_, at) => `age + ${at}`);
    const sums = Array.from({ length: 12 }, (_, at) => `SUM(wage + ${at})`);
    const [k, s] = [keys.slice(0, 10).join(", "), sums.slice(0, 10).join(", ")];
    expect(
      await suggested(`SELECT ${[...keys, ...sums, "FIRST(age)"].join(", ")} FROM people GROUP BY 1, 2`),
    ).toBe(`SELECT ${k}, ${s} FROM people GROUP BY ${k}`);
  });

  test.each([
    ["target_error = 5, target_release = 'it''s'", true],
    ["epsilon = 1, group_selection_strategy = public_groups", true],
    ["privacy_unit_column = pid", true],
    ["privacy_unit_column = cost", false],
    ["epsilon = -1", false],
    ["nothing = 1", false],
  ])("options are kept where they are known: %s", async (stated, kept) => {
    const text = `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${stated}) FIRST(cost) FROM nowhere, visits`;
    expect(await suggested(text)).toBe(
      `SELECT ${kept ? `WITH DIFFERENTIAL_PRIVACY OPTIONS(${stated}) ` : ""}AVG(cost) FROM "Visits"`,
    );
  });

  test.each([
    ["SELECT FIRST(price) FROM codes c, items i", "SELECT AVG(price) FROM items"],
    ["SELECT FIRST(rank) FROM codes", "SELECT COUNT(*) FROM items"],
    ["SELECT FIRST(price) FROM items JOIN codes USING (code)", "SELECT AVG(price) FROM items"],
    [
      "SELECT rank, FIRST(price) FROM items i JOIN codes c ON c.code = i.code GROUP BY rank",
      "SELECT c.rank, AVG(i.price) FROM items AS i JOIN codes AS c ON c.code = i.code GROUP BY c.rank",
    ],
    ["SELECT FIRST(price) FROM items i JOIN codes c ON c.rank > i.price", "SELECT AVG(price) FROM items"],
    ["SELECT person, FIRST(price) FROM items GROUP BY person", "SELECT AVG(price) FROM items"],
  ])(
    "public tables alone are not suggested, and their joins where they are accepted: %s",
    async (text, rewrite) => {
      expect(await suggested(text, shop)).toBe(rewrite);
    },
  );

  test.each([
    ["where no table can be told", "SELECT FIRST(1)"],
    ["where the question is known, and says nothing", "SELECT COUNT(*) FROM people WHERE age > 90"],
    [
      "where an option is wrong",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0) COUNT(*) FROM people",
    ],
    ["where bounds are wrong", "SELECT SUM(wage, contribution_bounds_per_row => (1, 0)) FROM people"],
    ["where it is too large", `SELECT ${Array(101).fill("COUNT(*)").join(", ")} FROM people`],
  ])("nothing is suggested %s", async (_, text) => {
    expect(await suggested(text)).toBe(undefined);
  });
});

describe("a suggestion says in what it asks something else", () => {
  const differs = async (text: string): Promise<unknown> =>
    (await refusalOf(resolve(text, testPolicy))).fields.rewriteDiffers;

  test.each([
    "SELECT sectr, AVG(wages) FROM people GROUP BY 1",
    "SELECT sectr AS s, AVG(wage) FROM people WHERE age > 30 GROUP BY s ORDER BY 2",
    "SELECT COUNT(*) FROM peple WHERE age > 30",
  ])("nothing where it asks the same: %s", async (text) => {
    expect(await differs(text)).toBe(undefined);
    expect(await suggested(text)).toEqual(expect.any(String));
  });

  test.each([
    ["SELECT FIRST(age) FROM people", "with AVG(age) in the place of FIRST"],
    ["SELECT SUM(wage) OVER () FROM people", "with SUM(wage) in the place of SUM over a window"],
    [
      "SELECT SKEWNESS(DISTINCT wage) FROM people",
      "with SKEWNESS(wage) in the place of SKEWNESS of distinct values",
    ],
    ["SELECT FIRST(sector) FROM people", "without FIRST, with COUNT(*)"],
    ["SELECT wage FROM people", "with COUNT(*) in the place of rows"],
    ["SELECT AVG(wag) FROM people WHERE name @@ 'a'", "without its WHERE"],
    ["SELECT AVG(wag) FROM people WHERE name @@ 'a' AND age > 30 AND wage", "without 2 of its conditions"],
    ["SELECT AVG(wag) / 2 FROM people", "without what is computed of its aggregates"],
    ["SELECT AVG(wag) FROM people HAVING COUNT(*) > 3 LIMIT 2", "without its HAVING, without its LIMIT"],
    [
      "SELECT AVG(wag), name @@ 'a' FROM people GROUP BY 2, nowhere",
      "without a column of its list, without a key of its GROUP BY",
    ],
    ["SELECT FIRST(w) FROM (SELECT AVG(wage) AS w FROM people) t", "without the SELECT around it"],
    ["SELECT AVG(wage) FROM people, nowhere", "of people alone"],
    [
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(nothing = 1) AVG(cost) FROM nowhere, visits",
      'of "Visits" alone, without its OPTIONS',
    ],
  ])("%s", async (text, said) => {
    expect(await differs(text)).toBe(said);
    expect(await suggested(text)).toEqual(expect.any(String));
  });

  it("keeps every condition that it can", async () => {
    expect(await suggested("SELECT AVG(wag) FROM people WHERE name @@ 'a' AND age > 30 AND married")).toBe(
      "SELECT AVG(wage) FROM people WHERE (age > 30) AND married",
    );
  });
});

describe("a suggestion over one of several tables", () => {
  const pair = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  items: { file: a.duckdb, unit: person, columns: {
    person: { type: text }, i_amount: { type: integer, bounds: [1, 6] }, i_codekey: { type: text } } }
  codes: { file: a.duckdb, public: true, key: c_codekey, columns: { c_codekey: { type: text }, c_amount: { type: integer, bounds: [0, 9] } } }
`);

  it("takes no column of another table for a misspelt one", async () => {
    const text =
      "SELECT FIRST(i_amount) FROM items, codes, nowhere WHERE i_codekey = c_codekey AND c_amount > 2 AND i_amount > 1";
    const { fields } = await refusalOf(resolve(text, pair));
    expect(fields).toMatchObject({
      rewrite: "SELECT AVG(i_amount) FROM items WHERE i_amount > 1",
      rewriteDiffers: "of items alone, with AVG(i_amount) in the place of FIRST, without 2 of its conditions",
    });
  });

  it("compares nothing with itself, and says that the condition is gone", async () => {
    const text = "SELECT AVG(i_amount) FROM items WHERE i_codekey = i_codekex AND i_amount > 1";
    const { fields } = await refusalOf(resolve(text, pair));
    expect(fields).toMatchObject({
      rewrite: "SELECT AVG(i_amount) FROM items WHERE i_amount > 1",
      rewriteDiffers: "without 1 of its conditions",
    });
  });

  it("tells of a quantile that becomes a count, and of a function around an aggregate", async () => {
    const told = async (list: string) =>
      (await refusalOf(resolve(`SELECT ${list} FROM people`, testPolicy))).fields.rewriteDiffers;
    expect(await told("MEDIAN(anything), FIRST(age)")).toContain("COUNT(anything) in the place of MEDIAN");
    expect(await told("ABS(AVG(wage)), FIRST(age)")).toContain("without what is computed of its aggregates");
  });
});
