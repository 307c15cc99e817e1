import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { readPolicy } from "../policy/index.ts";
import { type Relation, tablesOf } from "../relations/relation.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { referencedColumns } from "./referenced-columns.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 99] }, town: { type: text }, zip: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, columns: { person: { type: integer }, code: { type: text }, cost: { type: integer, bounds: [0, 60] }, late: { type: boolean } } }
  codes: { file: a.duckdb, public: true, key: code, rows_per_key: { kind: 4 }, columns: { code: { type: text }, kind: { type: text }, more: { type: text } } }
`);
const rows = async (text: string): Promise<Relation> =>
  referencedColumns(resolveQuestion(await parseQuestion(text), policy));
/** The columns of each table that are left. */
const columns = async (text: string): Promise<object> =>
  Object.fromEntries(
    tablesOf(await rows(text)).map((table) => [table.source ?? table.table, Object.keys(table.columns)]),
  );

describe("the columns that are read of each table", () => {
  it.each<[string, object]>([
    ["SELECT COUNT(*) FROM people", { people: [] }],
    ["SELECT SUM(age) FROM people WHERE zip = 'x'", { people: ["age", "zip"] }],
    ["SELECT town, COUNT(*) FROM people GROUP BY town", { people: ["town"] }],
    ["SELECT zip || town, COUNT(*) FROM people GROUP BY 1", { people: ["town", "zip"] }],
    ["SELECT COVAR_POP(cost, CASE WHEN late THEN 1 ELSE 0 END) FROM visits", { visits: ["cost", "late"] }],
    ["SELECT COUNT(DISTINCT code), COUNT(*) FILTER (WHERE late) FROM visits", { visits: ["code", "late"] }],
    // Keys by which rows of one unit meet are compared as they are written, and are no columns.
    ["SELECT SUM(v.cost) FROM people p JOIN visits v ON p.id = v.person", { p: [], v: ["cost"] }],
    [
      "SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.person AND p.zip = v.code WHERE p.age > 3",
      { p: ["age", "zip"], v: ["code"] },
    ],
    // Public rows are looked up by a column, and read once for each of its values.
    ["SELECT COUNT(*) FROM visits v JOIN codes c ON v.code = c.code", { v: ["code"], c: ["code"] }],
    [
      "SELECT c.more, COUNT(*) FROM visits v JOIN codes c ON v.code = c.kind GROUP BY 1",
      { v: ["code"], c: ["kind", "more"] },
    ],
    [
      "SELECT COUNT(*) FROM visits WHERE code IN (SELECT code FROM codes WHERE more = 'x')",
      { visits: ["code"], codes: ["code", "more"] },
    ],
    [
      "SELECT SUM(t.cost) FROM (SELECT cost, code, late FROM visits WHERE late) t",
      { visits: ["cost", "late"] },
    ],
    [
      "SELECT SUM(u.a) FROM (SELECT cost AS a, code AS b FROM visits UNION ALL SELECT age, town FROM people) u",
      { visits: ["cost"], people: ["age"] },
    ],
    [
      "SELECT COUNT(*) FROM (SELECT cost AS a, code AS b FROM visits UNION ALL SELECT age, town FROM people) u WHERE u.b = 'x'",
      { visits: ["code"], people: ["town"] },
    ],
    [
      "SELECT SUM(t.most) FROM (SELECT person, code, MAX(cost) AS most, COUNT(late) AS n FROM visits GROUP BY person, code) t",
      { visits: ["code", "cost"] },
    ],
  ])("%s", async (text, due) => {
    expect(await columns(text)).toEqual(due);
  });

  it("are as the policy declares them", async () => {
    const [table] = tablesOf(await rows("SELECT SUM(age) FROM people WHERE town = 'x'"));
    const { age, town } = policy.tables.people!.columns;
    expect(table!.columns).toEqual({ age, town });
  });
});
