import { describe, expect, it, test } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { joinedRows, questionsRows } from "./joined-rows.ts";

const policyOf = (words = ""): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer } } }
  items: { file: a.duckdb, unit: { through: person, references: people.id }, max_rows_before_join: 20, columns: {
    person: { type: integer }, code: { type: text }, price: { type: integer, bounds: [0, 9] } } }
  codes: { file: a.duckdb, public: true, key: code, ${words} columns: {
    code: { type: text }, kind: { type: text, categories: [x, y, z] }, weight: { type: integer, bounds: [0, 9] } } }
`);

const pairs =
  "FROM items a JOIN items b ON a.person = b.person JOIN codes c ON c.code = a.code JOIN codes d ON d.code = b.code";

async function resolved(text: string, policy = policyOf()): Promise<ResolvedQuery> {
  return resolveQuestion(await parseQuestion(text), policy);
}

/** The condition behind a fence, and what is left of WHERE. */
async function parts(where: string, policy?: Policy): Promise<readonly [string | null, string | null]> {
  const { from, where: left } = await resolved(`SELECT COUNT(*) ${pairs} WHERE ${where}`, policy);
  const behind = from.kind === "filter" && from.fenced ? writeSql(from.where) : null;
  return [behind, left && writeSql(left)];
}

describe("a condition that names two public tables", () => {
  test.each([
    ["c.kind < d.kind", "c.kind < d.kind", null],
    ["c.kind < d.kind AND a.price > 3", "c.kind < d.kind", "a.price > 3"],
    [
      "c.kind <> d.kind AND a.price > 3 AND c.weight + d.weight > 5",
      "(c.kind <> d.kind) AND ((c.weight + d.weight) > 5)",
      "a.price > 3",
    ],
  ])("is looked at behind a fence: %s", async (where, behind, left) => {
    expect(await parts(where)).toEqual([behind, left]);
  });

  it("bounds no row and lets none be joined first: the joined rows are those without it", async () => {
    const asked = await resolved(`SELECT COUNT(*) ${pairs} WHERE c.kind < d.kind`);
    const without = await resolved(`SELECT COUNT(*) ${pairs}`);
    expect(joinedRows(questionsRows(asked))).toBe(joinedRows(questionsRows(without)));
    expect(joinedRows(questionsRows(asked))).toBeLessThanOrEqual(1000);
  });

  it("stands in WHERE as it is written where the work is bounded without a fence", async () => {
    const small = policyOf("max_rows: 4,");
    expect(await parts("c.kind < d.kind", small)).toEqual([null, "c.kind < d.kind"]);
    // All tables are joined before a condition on all of them can be looked at.
    expect(await parts("c.kind < d.kind OR a.price > b.price")).toEqual([
      null,
      "(c.kind < d.kind) OR (a.price > b.price)",
    ]);
    expect(await parts("a.price < b.price")).toEqual([null, "a.price < b.price"]);
    expect(await parts("c.kind = 'x'")).toEqual([null, "c.kind = 'x'"]);
  });
});

describe("refused as before", () => {
  test.each([
    // An equation bounds rows, and is not moved.
    `SELECT COUNT(*) ${pairs} WHERE c.weight = d.weight`,
    "SELECT COUNT(*) FROM items a, codes c, codes d WHERE c.code = a.code AND c.kind < d.kind",
    "SELECT COUNT(*) FROM items a JOIN codes c ON c.code = a.code JOIN codes d ON c.kind < d.kind",
    "SELECT COUNT(*) FROM items a JOIN codes c ON c.kind < a.code WHERE c.weight > a.price",
    // Groups that are kept by an outer join.
    "SELECT c.kind, COUNT(*) FROM codes c LEFT JOIN (items a JOIN items b ON a.person = b.person JOIN codes d ON d.code = b.code) ON c.code = a.code WHERE c.kind < d.kind GROUP BY c.kind",
  ])("%s", async (text) => {
    const refusal = await refusalOf(resolved(text));
    expect(refusal.code).toBe("query.unsupported");
    expect(refusal.message).toMatch(
      /every row would be joined|does not say how many rows|could stand in|outer join keeps/,
    );
  });
});
