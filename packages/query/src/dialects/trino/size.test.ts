import { parseRational } from "@lethe/core";
import { askTrino, hasTrino } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { compilePlan } from "../../compile/compile-plan.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { trino } from "./index.ts";
import { checkSize, longestExpression, most, stagesAtMost } from "./size.ts";

describe("the longest expression of a statement", () => {
  it("is a column, or all conditions together, and not what other columns have", () => {
    expect(longestExpression("SELECT a, b + ccc FROM t WHERE d = 1 AND e = 2")).toBe(7);
    expect(longestExpression("SELECT a, f(b, (c + d)) FROM t")).toBe(5);
    expect(longestExpression("SELECT CASE WHEN a > 1E0 THEN b ELSE -c END AS d FROM t")).toBe(7);
  });

  it("counts a text and a name as one, and a query in it as its own", () => {
    expect(longestExpression(`SELECT t."a ""long"" name" = 'a long text, (it''s' FROM t`)).toBe(3);
    expect(longestExpression("SELECT EXISTS (SELECT a + 1 FROM t) FROM t")).toBe(3);
  });

  it("does not grow with long lists", () => {
    const list = (n: number): string => Array.from({ length: n }, () => "1").join(", ");
    expect(longestExpression(`SELECT x IN (${list(1000)}) FROM t`)).toBe(3);
    expect(longestExpression(`SELECT x IN (${list(20)}) FROM t`)).toBe(22);
    expect(longestExpression(`SELECT 1 FROM (VALUES (${list(1000)})) AS t(x)`)).toBe(4);
  });
});

describe("questions that Trino would take and not answer", () => {
  const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: row, columns: { x: { type: integer, bounds: [0, 2000] }, word: { type: text } } }
`);
  async function compiled(text: string): Promise<string> {
    const question = resolveQuestion(await parseQuestion(text), policy);
    const plan = planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
    return compilePlan(
      plan,
      () => ({ relation: ["t"], layout: "raw", types: { x: "bigint", word: "varchar" } }),
      trino,
    ).sql;
  }
  const branches = (count: number): string =>
    `SELECT SUM(CASE ${Array.from({ length: count }, (_, i) => `WHEN x / ${i + 1} > 2 THEN x / 3`).join(" ")} ELSE 0 END, contribution_bounds_per_row => (0, 9)) FROM t`;

  it("are refused before a charge where a CASE has too many branches, and told the limit", async () => {
    await expect(compiled(branches(150))).rejects.toMatchObject({
      code: "query.too-large",
      message: expect.stringContaining(`${most.expression} at most`),
      fix: expect.stringContaining("CASE of fewer branches"),
    });
    expect(await compiled(branches(20))).toContain("CASE");
    const words = Array.from({ length: 3000 }, (_, i) => `'word ${i}'`).join(", ");
    expect(await compiled(`SELECT COUNT(*) FROM t WHERE word IN (${words})`)).toContain("word 2999");
  });

  it("are refused where they may take more stages than are asked for", () => {
    const many = Array.from({ length: 150 }, (_, i) => ` JOIN t AS t${i} ON true`).join("");
    expect(() => checkSize(`SELECT 1 FROM t${many}`)).toThrow(
      expect.objectContaining({ code: "query.too-large" }),
    );
    expect(stagesAtMost("SELECT 'SELECT JOIN', \"OVER\" FROM t JOIN u ON true")).toBe(4);
  });
});

describe.skipIf(!hasTrino())("expressions as long as they may be (LETHE_TRINO)", () => {
  it.each<[string, (i: number) => string]>([
    ["comparisons", (i) => `WHEN x = ${i} THEN ${i}E0`],
    ["of texts", (i) => `WHEN s = 'category number ${i}' THEN ${i}E0`],
    ["conjunctions", (i) => `WHEN x > ${i} AND y < ${i}E0 AND s = 'w${i}' THEN ${i}E0 + y`],
    ["disjunctions", (i) => `WHEN x<${i} OR y>${i}E0 OR x>=y THEN y*x`],
    ["quotients", (i) => `WHEN x = ${i} THEN CASE WHEN is_finite(y / ${i + 1}E0) THEN y / ${i + 1}E0 END`],
    ["patterns", (i) => `WHEN s LIKE 'a%${i}%' THEN ${i}E0`],
    [
      "lambdas",
      (i) => `WHEN x = ${i} THEN transform(ARRAY[y / ${i + 1}E0], v -> CASE WHEN is_finite(v) THEN v END)[1]`,
    ],
    ["short lists", (i) => `WHEN x IN (${i}, ${i + 5000}, ${i + 9000}) THEN ${i}E0`],
    [
      "lists of 32",
      (i) => `WHEN x IN (${Array.from({ length: 32 }, (_, n) => 40 * i + n).join(", ")}) THEN ${i}E0`,
    ],
    [
      "lists of 33",
      (i) => `WHEN x IN (${Array.from({ length: 33 }, (_, n) => 40 * i + n).join(", ")}) THEN ${i}E0`,
    ],
    ["sums", (i) => `WHEN x+y-x*y+x-y*x+y-x+y*y>x THEN x+${i}`],
  ])("are compiled by the server: %s", async (_, branch) => {
    const written = (count: number): string =>
      `SELECT count(v) FROM (SELECT CASE ${Array.from({ length: count }, (_, i) => branch(i)).join(" ")} END AS v FROM (SELECT i AS x, i * 1e0 AS y, CAST(i AS varchar) AS s FROM UNNEST(sequence(1, 100)) AS t (i)))`;
    let count = 1;
    while (longestExpression(written(count + 1)) <= most.expression && count < 2000) count += 1;
    await expect(askTrino(written(count))).resolves.toBeDefined();
  });

  it("are compiled by the server where one is named once in another", async () => {
    const long = (x: string): string =>
      `CASE ${Array.from({ length: 191 }, (_, i) => `WHEN ${x} IN (${i}, ${i + 5000}, ${i + 9000}) THEN ${i}`).join(" ")} END`;
    const written = `SELECT count(v) FROM (SELECT ${long("n")} AS v FROM (SELECT ${long("x")} + 1 AS n FROM (SELECT i AS x FROM UNNEST(sequence(1, 100)) AS t (i))))`;
    expect(longestExpression(written)).toBeGreaterThan(most.expression - 5);
    expect(longestExpression(written)).toBeLessThanOrEqual(most.expression);
    await expect(askTrino(written)).resolves.toBeDefined();
  });
});
