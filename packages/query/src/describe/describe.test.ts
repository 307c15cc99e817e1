import { describe, expect, it } from "vitest";
import { readPolicy } from "../policy/file/read-policy.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { answerCatalog, asksCatalog } from "./catalog/catalog-question.ts";
import { functionNames } from "./known-words.ts";
import { parameterCount } from "./parameter-guesses.ts";
import { describeQuestion } from "./question-description.ts";
import { describeTables } from "./table-description.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: person
    max_groups_contributed: 2
    expected_rows: 5000
    columns:
      person: { type: text }
      wage: { type: number, bounds: [0, 60] }
      age: { type: integer, bounds: [18, 99] }
      floor: { type: integer, categories: [1, 2, 9] }
      sector: { type: text, categories: [trade, "the 'other'"] }
      city: { type: text, max_length: 40 }
      hired: { type: date, bounds: ["2015-01-01", "2024-12-31"] }
      seen: { type: timestamp, bounds: ["2015-01-01", "2024-12-31"] }
      manager: { type: boolean }
  towns:
    file: towns.csv
    public: true
    columns:
      name: { type: text, categories: [a, b] }
      size: { type: integer, bounds: [0, 1000000] }
views:
  traders: SELECT person, wage * 2 AS twice, hired FROM people WHERE sector = 'trade'
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`);

describe("tables", () => {
  it("are described by the policy alone: units, bounds, categories", async () => {
    const [people, towns, traders] = await describeTables(policy);
    expect(people).toMatchObject({
      name: "people",
      schema: "public",
      kind: "private",
      isView: false,
      unit: "the column person names the person",
      limits: { maxGroups: 2 },
      expectedRows: 5000,
      problem: null,
    });
    const column = (name: string): unknown => people?.columns.find((each) => each.name === name);
    expect(column("person")).toMatchObject({ type: "text", role: "unit" });
    expect(column("wage")).toMatchObject({ type: "number", bounds: [0, 60], categories: null, role: null });
    expect(column("age")).toMatchObject({ type: "integer", bounds: [18, 99] });
    expect(column("floor")).toMatchObject({ type: "integer", bounds: null, categories: [1, 2, 9] });
    expect(column("sector")).toMatchObject({ categories: ["trade", "the 'other'"], maxLength: null });
    expect(column("city")).toMatchObject({ categories: null, maxLength: 40 });
    expect(column("hired")).toMatchObject({ type: "date", bounds: ["2015-01-01", "2024-12-31"] });
    expect(towns).toMatchObject({ kind: "public", unit: null, limits: null });
    expect(traders).toMatchObject({ kind: "private", isView: true, unit: "each row belongs to one person" });
    expect(traders?.columns.map(({ name, type, role, bounds }) => [name, type, role, bounds])).toEqual([
      ["person", "text", "unit", null],
      ["twice", "number", null, [0, 120]],
      ["hired", "date", null, ["2015-01-01", "2024-12-31"]],
    ]);
  });

  it("come with questions that are answered", async () => {
    for (const { name, kind, questions } of await describeTables(policy)) {
      if (kind === "private") expect(questions.length, name).toBeGreaterThanOrEqual(3);
      for (const question of questions) await describeQuestion(question, policy);
    }
    const [people] = await describeTables(policy);
    expect(people?.questions[0]).toBe("SELECT sector, COUNT(*), AVG(wage) FROM people GROUP BY sector");
  });

  it("a view that cannot be read is told as such, and the others are described", async () => {
    const [people, broken] = await describeTables({
      ...policy,
      tables: { people: policy.tables.people! },
      views: { broken: "SELECT salary FROM people" },
    });
    expect(people?.problem).toBe(null);
    expect(broken?.problem).toContain('no column "salary"');
    expect(broken?.columns).toEqual([]);
  });
});

describe("a question", () => {
  const described = async (sql: string): Promise<unknown> => {
    const { columns, parameters } = await describeQuestion(sql, policy);
    return [
      columns.map(({ name, type, kind }) => `${name} ${type} ${kind}`),
      parameters.map(({ name, type }) => `${name} ${type}`),
    ];
  };

  it.each<[string, string[], string[]]>([
    [
      "SELECT sector, COUNT(*) AS n, AVG(wage) / 2 AS half FROM people GROUP BY sector",
      ["sector text key", "n number aggregate", "half number computed"],
      [],
    ],
    [
      "SELECT AVG(wage) AS a FROM people WHERE wage > $1 AND sector = $2 AND hired >= $3 AND manager = $4",
      ["a number aggregate"],
      ["$1 number", "$2 text", "$3 date", "$4 boolean"],
    ],
    [
      "SELECT COUNT(*) AS n FROM people WHERE hired BETWEEN $1 AND $2",
      ["n number aggregate"],
      ["$1 date", "$2 date"],
    ],
    [
      "SELECT COUNT(*) AS n FROM people WHERE wage >= $2 AND wage < $1",
      ["n number aggregate"],
      ["$1 number", "$2 number"],
    ],
    [
      "SELECT COUNT(*) AS n FROM people WHERE EXTRACT(year FROM hired) = $1 AND city LIKE $2",
      ["n number aggregate"],
      ["$1 number", "$2 text"],
    ],
    [
      "SELECT sector, COUNT(*) AS n FROM people WHERE floor IN ($1, $2) GROUP BY sector HAVING COUNT(*) > $3 ORDER BY 2 DESC LIMIT $4",
      ["sector text key", "n number aggregate"],
      ["$1 number", "$2 number", "$3 number", "$4 number"],
    ],
    ["SELECT COUNT(*) AS n FROM people WHERE $1", ["n number aggregate"], ["$1 boolean"]],
    ["SELECT MAX(hired) AS last FROM people WHERE seen < $1", ["last date aggregate"], ["$1 timestamp"]],
    [
      "SELECT SUM(CASE WHEN sector = $1 THEN wage ELSE $2 END) AS s FROM people",
      ["s number aggregate"],
      ["$1 text", "$2 number"],
    ],
    ["SELECT COUNT(*) AS n FROM traders WHERE twice > $1", ["n number aggregate"], ["$1 number"]],
    [
      "SELECT sector, RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM people GROUP BY sector",
      ["sector text key", "place number computed"],
      [],
    ],
  ])("%s", async (sql, columns, parameters) => {
    expect(await described(sql)).toEqual([columns, parameters]);
  });

  it("is refused as the question itself is", async () => {
    expect((await refusalOf(describeQuestion("SELECT AVG(salary) FROM people", policy))).code).toBe(
      "query.unknown-column",
    );
    expect(
      (await refusalOf(describeQuestion("SELECT AVG(salary) FROM people WHERE wage > $1", policy))).code,
    ).toBe("query.unknown-column");
    expect(
      (await refusalOf(describeQuestion("SELECT COUNT(*) FROM people WHERE wage > $2", policy))).code,
    ).toBe("query.parameter");
  });

  it("has the parameters that its tokens write, not those within texts and comments", () => {
    expect(parameterCount("SELECT $1, '$7', $$ $9 $$ -- $8\n, $12")).toBe(12);
    expect(parameterCount("SELECT 1")).toBe(0);
  });
});

describe("the catalog", () => {
  const rows = async (sql: string): Promise<unknown> => (await answerCatalog(sql, policy)).rows;

  it("is asked by its own words alone", () => {
    for (const sql of [
      "show tables",
      " /* a */ DESCRIBE people;",
      "desc people",
      "SELECT 1 FROM information_schema.tables",
    ])
      expect(asksCatalog(sql), sql).toBe(true);
    for (const sql of [
      "SELECT COUNT(*) FROM show",
      "SELECT 'information_schema.tables'",
      "EXPLAIN PRIVACY SELECT 1",
      "",
    ])
      expect(asksCatalog(sql), sql).toBe(false);
  });

  it("shows tables and columns", async () => {
    expect(await rows("SHOW TABLES;")).toEqual([
      ["people", "private", "the column person names the person", 5000],
      ["towns", "public", null, null],
      ["traders", "private view", "each row belongs to one person", null],
    ]);
    expect(await rows("SHOW VIEWS")).toHaveLength(1);
    expect(await rows('DESCRIBE "towns"')).toEqual([
      ["name", "text", true, null, "a, b"],
      ["size", "integer", true, null, "0 … 1000000"],
    ]);
    expect(await rows("SHOW COLUMNS FROM public.Towns")).toEqual(await rows("DESCRIBE towns"));
    expect(await rows("DESCRIBE SELECT AVG(wage) AS a FROM people WHERE wage > $1")).toEqual([
      ["a", "number", "aggregate"],
      ["$1", "number", "parameter"],
    ]);
  });

  it("answers SELECTs of information_schema", async () => {
    expect(
      await rows("SELECT table_name, table_type FROM information_schema.tables ORDER BY 1 DESC"),
    ).toEqual([
      ["traders", "VIEW"],
      ["towns", "BASE TABLE"],
      ["people", "BASE TABLE"],
    ]);
    expect(
      await rows(
        "SELECT column_name, data_type, upper(is_nullable) AS n FROM information_schema.columns c WHERE c.table_name = 'people' AND (data_type LIKE 'b%' OR is_privacy_unit) ORDER BY ordinal_position LIMIT 2 OFFSET 1",
      ),
    ).toEqual([
      ["age", "bigint", "YES"],
      ["floor", "bigint", "YES"],
    ]);
    expect(await rows("SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'towns'")).toEqual([
      [2],
    ]);
    expect(await rows("SELECT * FROM information_schema.schemata")).toEqual([["lethe", "public"]]);
    expect(
      await rows("SELECT categories FROM information_schema.columns WHERE column_name = 'sector'"),
    ).toEqual([[`["trade","the 'other'"]`]]);
    expect(
      await rows(
        "SELECT expected_rows FROM information_schema.tables ORDER BY expected_rows NULLS FIRST, table_name",
      ),
    ).toEqual([[null], [null], [5000]]);
  });

  it.each([
    ["SHOW databases", "query.syntax"],
    ["DESCRIBE", "query.syntax"],
    ["DESCRIBE peeple", "query.unknown-table"],
    ["DESCRIBE people; DROP TABLE people", "query.syntax"],
    ["SELECT * FROM information_schema.role_table_grants", "query.unknown-table"],
    ["SELECT * FROM information_schema.tables, people", "query.unsupported"],
    ["SELECT COUNT(*) FROM information_schema.tables GROUP BY table_name", "query.unsupported"],
    ["SELECT nothing FROM information_schema.tables", "query.unknown-column"],
    ["SELECT table_name FROM information_schema.tables LIMIT 1.5", "query.type"],
    ["SELECT (SELECT AVG(wage) FROM people) FROM information_schema.tables", "query.unsupported"],
  ])("%s is refused: %s", async (sql, code) => {
    expect((await refusalOf(answerCatalog(sql, policy))).code).toBe(code);
  });
});

it("words to complete are those that are answered", () => {
  expect(functionNames()).toEqual(expect.arrayContaining(["avg", "count", "date_trunc", "median", "round"]));
  expect(functionNames()).not.toContain("random");
});
