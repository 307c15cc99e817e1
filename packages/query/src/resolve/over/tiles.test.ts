import { describe, expect, it, test } from "vitest";
import { releasedIn } from "../../expressions/operators/released.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, age: { type: integer, bounds: [0, 90] } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);

/** The question behind the ends of tiles. */
async function tiled(window: string, where = ""): Promise<{ first: ResolvedQuery; second: ResolvedQuery }> {
  const first = await resolve(
    `SELECT tile, COUNT(*) AS n, AVG(age) AS mean FROM (SELECT age, ${window} AS tile FROM people${where}) t GROUP BY tile ORDER BY tile`,
  );
  return { first, second: first.others![0]!.query };
}

describe("tiles of all rows", () => {
  it("end at released quantiles of the same rows, and are public keys", async () => {
    const { first, second } = await tiled("NTILE(4) OVER (ORDER BY age)", " WHERE town = 'a'");
    expect(first.aggregates.map(({ name }) => name)).toEqual([
      "PERCENTILE_CONT(age, 0.25)",
      "MEDIAN(age)",
      "PERCENTILE_CONT(age, 0.75)",
    ]);
    const [{ expression }] = second.groupBy as [ResolvedQuery["groupBy"][number]];
    expect(expression.domain).toMatchObject({ type: "number", values: [1, 2, 3, 4], nullable: false });
    expect(releasedIn(second.groupBy).map(({ sql }) => sql)).toEqual(
      [1, 2, 3].map((at) => `(SELECT end_${at} FROM ntile_4_of_age)`),
    );
    expect(first.where && writeSql(first.where)).toBe("town = 'a'");
  });

  test.each([
    [
      "NTILE(2) OVER (ORDER BY age)",
      "CASE WHEN people.age <= (SELECT end_1 FROM ntile_2_of_age) THEN 1 ELSE 2 END",
    ],
    [
      "NTILE(2) OVER (ORDER BY age DESC)",
      "CASE WHEN people.age IS NULL THEN 1 WHEN people.age >= (SELECT end_1 FROM ntile_2_of_age) THEN 1 ELSE 2 END",
    ],
    [
      "NTILE(2) OVER (ORDER BY age DESC NULLS LAST)",
      "CASE WHEN people.age >= (SELECT end_1 FROM ntile_2_of_age) THEN 1 ELSE 2 END",
    ],
    [
      "NTILE(2) OVER (ORDER BY age NULLS FIRST)",
      "CASE WHEN people.age IS NULL THEN 1 WHEN people.age <= (SELECT end_1 FROM ntile_2_of_age) THEN 1 ELSE 2 END",
    ],
  ])("%s is %s", async (window, written) => {
    const { second } = await tiled(window);
    expect(second.groupBy.map(({ name }) => name)).toEqual([written]);
  });

  it("are counted from the other end where the order descends", async () => {
    const { first } = await tiled("NTILE(5) OVER (ORDER BY age DESC)");
    expect(first.aggregates.map(({ name }) => /CONT\(age, (.*?)\)/.exec(name)?.[1])).toEqual([
      "0.8",
      "0.6",
      "0.4",
      "0.2",
    ]);
  });

  it("may stand in WITH, of the rows of another name", async () => {
    const { others = [], released } = await resolve(
      "WITH old AS (SELECT age FROM people WHERE age > 60), tiles AS (SELECT age, NTILE(3) OVER (ORDER BY age) AS third FROM old) SELECT third, COUNT(*) FROM tiles GROUP BY third",
    );
    expect(others).toHaveLength(1);
    expect(released).toHaveLength(2);
  });

  test.each([
    ["NTILE(4) OVER (PARTITION BY town ORDER BY age)"],
    ["NTILE(4) OVER (ORDER BY age, town)"],
    ["NTILE(1) OVER (ORDER BY age)"],
    ["NTILE(4) OVER (ORDER BY town)"],
  ])("of other forms are refused: %s", async (window) => {
    const refused = await refusalOf(tiled(window));
    expect(refused.code).toMatch(/^query\./);
    expect(refused.fix).not.toBe("");
  });
});
