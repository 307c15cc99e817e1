import { describe, expect, it, test } from "vitest";
import { parseQuestion } from "../../../parse/index.ts";
import { readPolicy } from "../../../policy/file/read-policy.ts";
import { refusalOf } from "../../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../../names/resolved-query.ts";
import { resolveQuestion } from "../../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, age: { type: integer, bounds: [0, 9], default: 0 },
    plan: { type: text, categories: [free, paid] }, note: { type: text } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);

/** The private questions of a text: what each groups by, and the columns that it shows. */
async function questions(text: string): Promise<readonly (readonly [string, string])[]> {
  const first = await resolve(text);
  return [first, ...(first.others ?? []).map(({ query }) => query)].map(
    ({ groupBy, outputs }) =>
      [groupBy.map(({ name }) => name).join(", "), outputs.map(({ name }) => name).join(", ")] as const,
  );
}

describe("the private questions of a text with most frequent values", () => {
  test.each([
    ["SELECT MODE(plan) FROM people", [["plan", "value, count"]]],
    ["SELECT MODE() WITHIN GROUP (ORDER BY plan) AS top FROM people", [["plan", "value, count"]]],
    ["SELECT APPROX_TOP_COUNT(note, 3) FROM people", [["note", "value, count"]]],
    [
      "SELECT COUNT(*), MODE(plan) FROM people",
      [
        ["", "count"],
        ["plan", "value, count"],
      ],
    ],
    ["SELECT town, MODE(plan) FROM people GROUP BY town", [["town, plan", "town, key, value, count"]]],
    [
      "SELECT town, MODE(plan), MODE(note) FROM people GROUP BY ALL",
      [
        ["town", "town, rows, key"],
        ["town, plan", "key, value, count"],
        ["town, note", "key, value, count"],
      ],
    ],
    [
      "SELECT town AS key, MODE(plan) AS value, AVG(age) AS count FROM people GROUP BY 1",
      [
        ["town", "key, count, key_2"],
        ["town, plan", "key_2, value, count_2"],
      ],
    ],
    [
      "SELECT UPPER(town) AS town, MODE(plan) FROM people GROUP BY people.town HAVING COUNT(*) > 3",
      [
        ["town", "town, rows, key"],
        ["town, plan", "key, value, count"],
      ],
    ],
  ])("%s", async (text, asked) => {
    expect(await questions(text)).toEqual(asked);
  });

  it("keep WHERE and FILTER, and leave NULL out", async () => {
    const { others, where } = await resolve(
      "SELECT AVG(age), MODE(plan) FILTER (WHERE age > 3) FROM people WHERE town = 'a'",
    );
    const text = (expression: unknown): string => JSON.stringify(expression);
    const [counts] = others ?? [];
    expect(text(where)).not.toContain("is-not-null");
    for (const part of ["town", "age", "is-not-null", "plan"])
      expect(text(counts?.query.where)).toContain(part);
  });

  it("are one where the same is counted twice", async () => {
    const text =
      "SELECT MODE(plan), MODE() WITHIN GROUP (ORDER BY plan DESC), APPROX_TOP_K(plan, 2) FROM people";
    expect(await questions(text)).toHaveLength(1);
  });
});

describe("refused", () => {
  test.each([
    ["SELECT MODE(DISTINCT plan) FROM people", "query.unsupported", "takes one expression"],
    ["SELECT MODE(plan, town) FROM people", "query.unsupported", "takes one expression"],
    ["SELECT MODE(plan ORDER BY age) FROM people", "query.unsupported", "takes one expression"],
    ["SELECT APPROX_TOP_K(plan) FROM people", "query.unsupported", "how many of its values"],
    ["SELECT APPROX_TOP_K(plan, 0) FROM people", "query.unsupported", "from 1 to 20"],
    ["SELECT APPROX_TOP_COUNT(plan, 21) FROM people", "query.unsupported", "from 1 to 20"],
    ["SELECT UPPER(APPROX_TOP_COUNT(plan, 2)) FROM people", "query.unsupported", "several columns"],
    [
      "SELECT town, MODE(plan) FROM people GROUP BY ROLLUP (town)",
      "query.unsupported",
      "one list of columns",
    ],
    ["SELECT MODE(plan) FROM people GROUP BY 1", "query.unsupported", "cannot group by"],
    ["SELECT town, MODE(plan) FROM people", "query.unsupported", "neither grouped by"],
    ["SELECT MODE(plan) OVER () FROM people", "query.unsupported", "neither within a unit nor over"],
    ["SELECT MODE(id) FROM people", "query.unsupported", "names the privacy unit"],
    ["SELECT id, MODE(plan) FROM people GROUP BY id", "query.unsupported", "names the privacy unit"],
    ["SELECT MODE(pln) FROM people", "query.unknown-column", "no column"],
    ["SELECT MODE(1) FROM people", "query.unsupported", "a constant does not make groups"],
    [
      "SELECT AVG(n) FROM (SELECT id, MODE(age) AS n FROM people GROUP BY id) u",
      "query.unsupported",
      "names the privacy unit",
    ],
    ["SELECT MODE(plan) FROM people LIMIT 1 FOR UPDATE", "query.unsupported", "lockingClause"],
  ])("%s", async (text, code, message) => {
    const refusal = await refusalOf(resolve(text));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(message);
  });

  it("with a question that keeps what can be kept", async () => {
    const refusal = await refusalOf(
      resolve(
        "SELECT town, MODE(DISTINCT plan) FILTER (WHERE age > 3) FROM people WHERE note <> 'x' GROUP BY town",
      ),
    );
    const rewrite = String(refusal.fields.rewrite);
    expect(rewrite).toBe(
      "SELECT town, MODE() WITHIN GROUP (ORDER BY plan) FILTER (WHERE age > 3) FROM people WHERE note <> 'x' GROUP BY town",
    );
    expect((await resolve(rewrite)).over).toBeDefined();
  });
});
