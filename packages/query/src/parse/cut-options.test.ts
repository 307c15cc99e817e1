import { describe, expect, it, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { parseQuestion } from "./parse-question.ts";

describe("a refusal of WITH DIFFERENTIAL_PRIVACY points at what is wrong", () => {
  it.each([
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS [epsilon = 1] 1", "[epsilon"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1 delta = 0) 1", "delta ="],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, 'delta' = 0) 1", "'delta'"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon => 1) 1", "> 1"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon 1) 1", "1)"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = (1)) 1", "(1)"],
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

test("no clause of a subquery is the question's own", async () => {
  const text =
    "WITH t AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 9) 1 AS a FROM p) SELECT a FROM t";
  const { code, fix } = await refusalOf(parseQuestion(text));
  expect(code).toBe("query.syntax");
  expect(fix).toContain("directly behind the first SELECT");
});
