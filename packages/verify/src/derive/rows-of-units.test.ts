import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { samplePlan } from "../testing/sample-release.ts";
import { columnsRead } from "./rows-of-units.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer }, zip: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, max_rows_before_join: 4, columns: {
    visit_id: { type: text }, person_id: { type: integer }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, kind: { type: text, categories: [x, y] } } }
`;

/** The columns that a question reads, each with the sources that may be missing where it is read. */
async function read(text: string): Promise<readonly string[]> {
  const plan = await samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });
  return [...columnsRead(plan)].map(
    ([leaf, missing]) => `${leaf.source}.${leaf.name} without ${[...missing].sort().join("+") || "none"}`,
  );
}

describe("a column is read where a source may be missing", () => {
  it.each([
    [
      "in a condition over the left side of a join, whose own right side need not be there",
      "SELECT COUNT(*) FROM people LEFT JOIN visits ON id = person_id LEFT JOIN codes ON visits.code = codes.code",
      ["visits.code without visits", "codes.code without visits"],
    ],
    [
      "in a condition over the right side of a join, whose own left side need not be there",
      "SELECT COUNT(*) FROM codes RIGHT JOIN (visits RIGHT JOIN people ON id = person_id) ON visits.code = codes.code",
      ["visits.code without visits", "codes.code without visits"],
    ],
    [
      "in a WHERE above a side that holds a subquery",
      "SELECT COUNT(*) FROM (SELECT person_id AS p, COUNT(*) AS n FROM visits GROUP BY person_id) g JOIN people a ON a.id = g.p RIGHT JOIN people b ON b.id = a.id WHERE n > 1",
      ["g.n without a+g+visits"],
    ],
    [
      "in a WHERE above both",
      "SELECT COUNT(*) FROM people LEFT JOIN visits ON id = person_id LEFT JOIN codes ON visits.code = codes.code WHERE kind = 'x'",
      ["codes.kind without codes+visits"],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await read(text)).toEqual(expect.arrayContaining(expected));
  });
});
