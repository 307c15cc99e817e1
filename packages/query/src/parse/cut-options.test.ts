import { describe, expect, it, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { listParameters } from "./named-parameters.ts";
import { parseQuestion } from "./parse-question.ts";

describe("a refusal of WITH DIFFERENTIAL_PRIVACY points at what is wrong", () => {
  it.each([
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS [epsilon = 1] 1", "[epsilon"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1 delta = 0) 1", "delta ="],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, 'delta' = 0) 1", "'delta'"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon => 1) 1", "> 1"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon 1) 1", "1)"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1 / (2 - 2)) 1", ")) 1"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1 + 'a') 1", "'a'"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = - x) 1", "- x"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(a = E'b') 1", "E'b'"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, /* é */ Epsilon = 2) 1", "Epsilon"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon =", ""],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1", ""],
    ["SELECT /* é */ WITH ANONYMIZATION COUNT(*) FROM t", "ANONYMIZATION"],
  ])("%s", async (text, at) => {
    const { offset, fix } = await refusalOf(parseQuestion(text));
    expect(text.slice(offset)).toMatch(new RegExp(`^${at.replace(/[[()>]/g, "\\$&")}`));
    if (at === "") expect(offset).toBe(text.length);
    expect(fix).toMatch(/OPTIONS\(epsilon = 0\.5|each option once|renamed/);
  });
});

test("each option has the place of its name", async () => {
  const text =
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1,\n  s = 'é', delta = -0) COUNT(*) FROM t";
  const { options } = await parseQuestion(text);
  expect(options).toEqual([
    { name: "epsilon", kind: "number", value: "1", offset: text.indexOf("epsilon") },
    { name: "s", kind: "text", value: "é", offset: text.indexOf("s = 'é'") },
    { name: "delta", kind: "number", value: "-0", offset: text.indexOf("delta") },
  ]);
});

test.each([
  "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) a FROM t",
  "WITH t AS (SELECT (1) AS a), u AS (SELECT 2) SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) a FROM t",
])("the clause is cut from behind the question's own SELECT alone: %s", async (text) => {
  const { options, select } = await parseQuestion(text);
  expect(options).toMatchObject([{ name: "epsilon", value: "1" }]);
  expect(select.targetList).toMatchObject([{ ResTarget: { location: text.lastIndexOf("a FROM") } }]);
});

test.each([
  ["SELECT 1 AS with_it", "a name that begins with it"],
  ["WITH t AS (SELECT 1) SELECT * FROM t", "a WITH before the SELECT"],
])("%s has no such clause: %s", async (text) => {
  expect((await parseQuestion(text)).options).toEqual([]);
});

test("the clause of a SELECT within the question is the question's own, and marks that SELECT", async () => {
  const { options, select } = await parseQuestion(
    "WITH t AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 9) 1 AS a FROM p) SELECT a FROM t",
  );
  expect(options).toMatchObject([{ name: "epsilon", value: "9" }]);
  const [cte] = select.withClause?.ctes ?? [];
  expect(cte).toMatchObject({ CommonTableExpr: { ctequery: { SelectStmt: { privacyClause: true } } } });
  expect(select).not.toHaveProperty("privacyClause");
});

test("two such clauses are refused", async () => {
  const clause = "SELECT WITH DIFFERENTIAL_PRIVACY COUNT(*) AS n FROM p";
  const { code } = await refusalOf(parseQuestion(`SELECT * FROM (${clause}) a, (${clause}) b`));
  expect(code).toBe("query.unsupported");
});

test.each([
  ["0.5 + 0.5", { kind: "number", value: "1" }],
  ["1 / 10000000", { kind: "number", value: "1/10000000" }],
  ["2 * (3 - 1)", { kind: "number", value: "4" }],
  ["-(1 - 3)", { kind: "number", value: "2" }],
  ["NULL", { kind: "null" }],
  ["cards.Card_ID", { kind: "name", value: "cards.card_id" }],
  ["`Card ID`", { kind: "text", value: "Card ID" }],
])("an option may be %s", async (written, read) => {
  const { options } = await parseQuestion(
    `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = ${written}) COUNT(*) FROM t`,
  );
  expect(options).toMatchObject([{ name: "epsilon", ...read }]);
});

test("names behind @ are parameters, in options and in the question, by the order in which they come", async () => {
  const text =
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = @eps, delta = @Delta) COUNT(*) FROM t WHERE x > @low AND y < @eps";
  const values = listParameters(text, { low: "2024-06-01", EPS: 2, delta: 1e-7 });
  expect(values).toEqual([2, 1e-7, "2024-06-01"]);
  const { options, parameters, select } = await parseQuestion(text, values);
  expect(options).toMatchObject([{ value: "2" }, { value: "1e-7" }]);
  expect(parameters).toEqual(values);
  expect(JSON.stringify(select.whereClause)).toContain("2024-06-01");
  expect(() => listParameters(text, { eps: 1 })).toThrow("@delta has no value");
  expect(() => listParameters(text, { eps: 1, delta: 0, low: 1, high: 2 })).toThrow("no @high");
});

test("without values @x stays the absolute value, and beside $1 too", async () => {
  await expect(parseQuestion("SELECT COUNT(*) FROM t WHERE @x > 1")).resolves.toMatchObject({
    parameters: [],
  });
  await expect(parseQuestion("SELECT COUNT(*) FROM t WHERE @x > $1", [1])).resolves.toMatchObject({
    parameters: [1],
  });
});

test.each([
  "SELECT `mode`, COUNT(*, contribution_bounds_per_group => (0, 10)) AS `the number` FROM `rides` GROUP BY 1",
  "SELECT COUNT(*) FROM rides WHERE mode IN UNNEST(['bus', 'ferry'])",
  "SELECT '`é`', COUNT(*) FROM rides, UNNEST(['é', '🙂']) AS u(mode)",
])("what is BigQuery's alone keeps its places: %s", async (text) => {
  const { select } = await parseQuestion(text);
  expect(select.targetList).toMatchObject([
    { ResTarget: { location: text.indexOf(" ") + 1 } },
    ...rest(select),
  ]);
});

function rest({ targetList = [] }: { readonly targetList?: readonly unknown[] }): readonly unknown[] {
  return targetList.slice(1);
}
