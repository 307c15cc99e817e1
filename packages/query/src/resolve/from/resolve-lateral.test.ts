import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import type { Plan } from "../../plan/plan.ts";
import { planQuestion } from "../../plan/question/plan-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people: { file: p.csv, unit: id, key: id, columns: { id: { type: integer }, since: { type: date } } }
  visits: { file: v.csv, unit: { through: person, references: people.id }, max_rows_before_join: 20, columns: { person: { type: integer }, day: { type: date }, cost: { type: integer, bounds: [0, 9] } } }
  notes: { file: n.csv, unit: row, columns: { day: { type: date } } }
`);

async function planned(text: string): Promise<Plan> {
  const options = { epsilon: parseRational("1") };
  return planQuestion(resolveQuestion(await parseQuestion(text), policy), policy, options, "hash");
}

describe("a subquery of each row", () => {
  it("is none where it reads no row around it: it is a question of its own, asked first", async () => {
    const { others = [], released } = await planned(
      "SELECT COUNT(*) FROM visits v WHERE v.cost > (SELECT AVG(cost) FROM visits)",
    );
    expect(others.map(({ plan }) => plan.joinedRows)).toEqual([undefined]);
    expect(released?.map(({ sql }) => sql)).toEqual(["(SELECT AVG(cost) FROM visits)"]);
  });

  it("is bounded as a join is: one row meets no more rows than its unit has", async () => {
    const text =
      "SELECT SUM(l.cost) FROM people p JOIN LATERAL (SELECT cost FROM visits v WHERE v.person = p.id ORDER BY day LIMIT 1) l ON TRUE";
    const { joinedRows, unit, contribution } = await planned(text);
    expect({ joinedRows, unit: unit.kind, rows: contribution.rows }).toEqual({
      joinedRows: (await planned("SELECT SUM(v.cost) FROM people p JOIN visits v ON v.person = p.id"))
        .joinedRows,
      unit: "column",
      rows: 1,
    });
  });

  it.each([
    [
      "rows of other units",
      "SELECT COUNT(*) FROM visits v JOIN LATERAL (SELECT w.cost FROM visits w WHERE w.day < v.day LIMIT 1) l ON TRUE",
      "query.unsupported",
      /ON|unit/,
    ],
    [
      "rows that are units",
      "SELECT COUNT(*) FROM notes n WHERE (SELECT COUNT(*) FROM notes m WHERE m.day < n.day) > 3",
      "query.unsupported",
      /unit/,
    ],
    [
      "several rows for a value",
      "SELECT COUNT(*) FROM people p WHERE (SELECT v.cost FROM visits v WHERE v.person = p.id) > 3",
      "query.unsupported",
      /several rows/,
    ],
    [
      "groups",
      "SELECT COUNT(*) FROM people p JOIN LATERAL (SELECT MAX(cost) AS m FROM visits v WHERE v.person = p.id GROUP BY v.day) l ON TRUE",
      "query.unsupported",
      /subquery/,
    ],
    [
      "OFFSET",
      "SELECT COUNT(*) FROM people p JOIN LATERAL (SELECT cost FROM visits v WHERE v.person = p.id ORDER BY day LIMIT 1 OFFSET 1) l ON TRUE",
      "query.unsupported",
      /LIMIT|subquery/,
    ],
    [
      "a condition behind LEFT JOIN LATERAL",
      "SELECT COUNT(*) FROM people p LEFT JOIN LATERAL (SELECT cost FROM visits v WHERE v.person = p.id LIMIT 1) l ON l.cost > 3",
      "query.unsupported",
      /ON TRUE/,
    ],
    [
      "the first item of FROM",
      "SELECT COUNT(*) FROM LATERAL (SELECT cost FROM visits) l",
      "query.unsupported",
      /LATERAL/,
    ],
  ])("is refused for %s", async (_, text, code, message) => {
    const refused = await planned(text).then(
      () => null,
      (error: { code: string; message: string; fix: string }) => error,
    );
    expect(refused).toMatchObject({ code });
    expect(`${refused!.message} ${refused!.fix}`).toMatch(message);
  });
});
