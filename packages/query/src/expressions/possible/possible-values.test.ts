import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import { column } from "../../resolve/testing/random-expressions.ts";
import { testPolicy } from "../../resolve/testing/test-policy.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { expressionBuilder } from "../build/build-expression.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import type { Scalar } from "../operators/domains.ts";
import { evaluate } from "./evaluate.ts";
import { neverTrue } from "./never-true.ts";

const build = expressionBuilder();

/** Comparisons of a column with constants on either side, each with its opposite. */
function testsOf(name: string, operators: readonly Operator[], constants: readonly Scalar[]): Expression[] {
  const x = column(name);
  const tests = operators.flatMap((operator) =>
    constants.flatMap((constant) => {
      const c = build.literal(constant);
      if (operator === "in") return [build.call("in", [x, c, build.literal(constants[0]!)])];
      return [build.call(operator, [x, c]), build.call(operator, [c, x])];
    }),
  );
  const nulls = [build.call("is-null", [x]), build.call("is-not-null", [x])];
  return [...tests, ...nulls].flatMap((test) => [test, build.call("not", [test])]);
}

/** Checks that two tests are refused together exactly where no value meets both. */
function checkPairs(name: string, tests: readonly Expression[], values: readonly Scalar[]): number {
  let refused = 0;
  const met = tests.map((test) => values.map((value) => evaluate(test, { [name]: value }) === true));
  for (const [i, first] of tests.entries())
    for (const [j, second] of tests.entries()) {
      const possible = values.some((_, at) => met[i]![at] && met[j]![at]);
      const found = neverTrue(build.call("and", [first, second]));
      if ((found === null) !== possible) expect([first, second]).toBe(possible ? "possible" : "never true");
      if (found) refused += 1;
    }
  return refused;
}

describe("conditions on one column are judged exactly", () => {
  const comparisons: readonly Operator[] = ["=", "<", "<=", ">", ">="];
  const all: readonly Operator[] = [...comparisons, "<>", "is-distinct", "is-not-distinct", "in"];
  // Values that are public are listed; of an interval only its ends are known.
  it("where its values are public", () => {
    expect(checkPairs("grade", testsOf("grade", all, [1, 2, 3, 0.5, 4]), [1, 2, 3, null])).toBeGreaterThan(
      100,
    );
  });

  it("where whole numbers lie between bounds", () => {
    const values = Array.from({ length: 121 }, (_, at) => 1900 + at);
    const tests = testsOf("born", comparisons, [1899, 1900, 1900.5, 1901, 2019, 2020, 2020.5]);
    expect(checkPairs("born", tests.filter(isNoGap), values)).toBeGreaterThan(100);
  });

  it("where fractions lie between bounds and may be missing", () => {
    const values = [...Array.from({ length: 241 }, (_, at) => at / 4), null];
    const tests = testsOf("wage", comparisons, [-1, 0, 0.5, 60, 61]);
    expect(checkPairs("wage", tests.filter(isNoGap), values)).toBeGreaterThan(100);
  });

  it("where nothing bounds them", () => {
    const values = [-1e9, -1, 0, 0.25, 0.5, 0.75, 1, 1e9, null];
    expect(
      checkPairs("anything", testsOf("anything", comparisons, [0, 0.5]).filter(isNoGap), values),
    ).toBeGreaterThan(10);
  });

  /** Tells whether a test does anything but leave one value out of an interval, which is not kept in mind. */
  function isNoGap(test: Expression): boolean {
    const [inner] = test.kind === "call" && test.operator === "not" ? test.args : [];
    return !(inner?.kind === "call" && inner.operator === "=");
  }
});

describe("a refusal says what the values are", () => {
  const letters = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}`).join(", ");
  const many = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables: { t: { file: a.csv, unit: row, columns: {
  twelve: { type: text, categories: [${letters(12)}] }, fourteen: { type: text, categories: [${letters(14)}] } } } }`);
  const resolve = async (condition: string, policy = testPolicy, table = "people"): Promise<ResolvedQuery> =>
    resolveQuestion(await parseQuestion(`SELECT COUNT(*) FROM ${table} WHERE ${condition}`), policy);

  it.each([
    ["member IS NULL", "member is TRUE or FALSE, never NULL"],
    ["COALESCE(name, 'a') IS NULL", "COALESCE(name, 'a') is a text of up to 12 characters, never NULL"],
    ["COALESCE(anything, 0) IS NULL", "COALESCE(anything, 0) is a number, never NULL"],
    ["sector IS NULL", "sector is one of 'manufacturing', 'construction', 'other', never NULL"],
    ["born IS NULL", "born lies between 1900 and 2020, never NULL"],
    ["quarter IS NULL", "quarter lies between DATE '2020-01-01' and DATE '2020-03-31', never NULL"],
    [
      "seen < '1969-12-31'",
      "seen lies between TIMESTAMP '1969-12-31 22:15:00' and TIMESTAMP '2024-02-29 23:59:59.500000'",
    ],
    ["age IN (1, 2)", "age lies between 16 and 90"],
    ["sector = 'xyz'", "write one of: 'manufacturing', 'construction', 'other'"],
    ["UPPER(name) = 'Ada'", "write 'ADA'"],
    ["grade IN (NULL)", "nothing equals NULL: write grade IS NULL, or leave NULL out"],
    ["married AND grade > 3", "grade lies between 1 and 3"],
  ])("%s", async (condition, fix) => {
    expect((await refusalOf(resolve(condition))).fix).toBe(fix);
  });

  it("a dozen of them, and how many more there are", async () => {
    const listed = Array.from({ length: 12 }, (_, at) => `'k${at}'`).join(", ");
    const fixOf = async (condition: string): Promise<string> =>
      (await refusalOf(resolve(condition, many, "t"))).fix;
    expect(await fixOf("twelve = 'nothing'")).toBe(`write one of: ${listed}`);
    expect(await fixOf("fourteen = 'nothing'")).toBe(`write one of: ${listed} and 2 more`);
    expect(await fixOf("fourteen = 'k'")).toMatch(/^did you mean 'k0'\? write one of: /);
  });

  it.each([
    "married OR sector IS DISTINCT FROM 'Other'",
    "married OR sector IS NOT DISTINCT FROM 'Other'",
    "married OR sector NOT IN ('other', 'Other')",
    "married OR UPPER(sector || 'x') = 'OTHERx'",
  ])("a word that the text is never is refused wherever it stands: %s", async (condition) => {
    const { code, message } = await refusalOf(resolve(condition));
    expect(code).toBe("query.impossible");
    expect(message).toMatch(/ is never '(Other|OTHERx)'$/);
  });

  it.each([
    "married OR sector IN ('farming', 'Farming', NULL)",
    "married OR sector = 'farming'",
    "sector = 'other' AND sector <> 'farming'",
    "(married OR sector = 'other') AND sector <> 'farming'",
    "married OR sector = 'other' OR UPPER(sector || 'x') = 'farming'",
  ])(
    "so is one that is near to none of its values, unless it is listed beside one: %s",
    async (condition) => {
      const { code, message } = await refusalOf(resolve(condition));
      expect(code).toBe("query.impossible");
      expect(message).toMatch(/ is never 'farming'$/);
    },
  );

  it.each([
    "married OR 'a' = 'b'",
    "married OR sector > 'Other'",
    "married OR sector LIKE 'Other'",
    "married OR sector IN ('other', NULL)",
    "sector IN ('other', 'farming')",
    "married OR sector NOT IN ('other', 'farming')",
    "sector = 'farming' OR married OR sector = 'other'",
    "sector = 'farming' OR sector IN ('construction')",
    "'farming' = sector OR 'other' = sector",
    "sector <> 'other' AND sector <> 'farming'",
    "CASE WHEN sector IN ('other', 'farming') THEN age > 20 ELSE married END",
    "UPPER(sector) IN ('OTHER', 'farming')",
    "married OR age = 1000",
    "married OR 'a' IN ('b', sector)",
  ])("but no other condition beside one that may be true: %s", async (condition) => {
    await expect(resolve(condition)).resolves.toBeDefined();
  });
});

describe("HAVING over keys that can not be so is refused", () => {
  const having = async (key: string, condition: string, by = key): Promise<ResolvedQuery> =>
    resolveQuestion(
      await parseQuestion(`SELECT ${key}, COUNT(*) AS n FROM people GROUP BY ${by} HAVING ${condition}`),
      testPolicy,
    );

  it.each([
    ["grade", "grade = 4"],
    ["grade", "n > 3 AND grade > 3"],
    ["grade", "NOT (grade <= 3)"],
    ["grade", "grade IN (4, 5)"],
    ["grade", "grade > 3 OR grade < 1"],
    ["grade", "grade = NULL"],
    ["member", "member IS NULL"],
    ["member", "n > 3 AND NOT (member IS NOT NULL)"],
    ["quarter", "quarter = '2020-04-01'"],
    ["quarter", "'2020-04-01' <= quarter"],
    ["quarter", "quarter IN ('2019-12-31', DATE '2020-04-01')"],
  ])("%s: %s", async (key, condition) => {
    expect((await refusalOf(having(key, condition))).code).toBe("query.impossible");
  });

  it.each([
    ["grade", "grade = 3"],
    ["grade", "grade = 4 OR n > 3"],
    ["grade", "grade + 1 = 5"],
    ["grade", "grade IS NULL"],
    ["grade", "COALESCE(grade, 4) = 4"],
    ["quarter", "quarter >= '2020-03-31'"],
    ["quarter", "quarter > DATE '2020-03-30' AND n > 1"],
    ["sector", "sector = 'other' OR n > 3"],
  ])("but not %s: %s", async (key, condition) => {
    await expect(having(key, condition)).resolves.toBeDefined();
  });

  it("a total has a key that is NULL, and still no other values", async () => {
    await expect(having("grade, member", "member IS NULL", "ROLLUP (grade, member)")).resolves.toBeDefined();
    expect((await refusalOf(having("grade, member", "grade = 4", "ROLLUP (grade, member)"))).code).toBe(
      "query.impossible",
    );
  });
});
