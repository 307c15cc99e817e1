import type { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import { tablesOf } from "../../relations/relation.ts";
import { writeFrom } from "../../relations/write-from.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy: Policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, "Age": { type: integer, bounds: [0, 9], default: 0 } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, columns: {
    visit_id: { type: text }, person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, town: { type: text } } }
  items: { file: a.duckdb, unit: { through: visit_id, references: visits.visit_id }, columns: {
    visit_id: { type: text }, price: { type: integer, bounds: [1, 6] }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, kind: { type: text, categories: [x, y] } } }
  days: { file: a.duckdb, public: true, max_rows: 7, columns: { day: { type: integer } } }
  many: { file: a.duckdb, public: true, expected_rows: 5000, columns: { x: { type: integer } } }
  guests: { file: a.duckdb, unit: row, columns: { code: { type: text }, fee: { type: number, bounds: [0, 3] } } }
  loans: { file: a.duckdb, unit: borrower, columns: { borrower: { type: integer }, sum: { type: number, bounds: [0, 3] } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);

const refusal = (text: string): Promise<LetheError> => refusalOf(resolve(text));

describe("FROM", () => {
  test.each([
    ["people p JOIN visits v ON p.id = v.person_id", "people AS p JOIN visits AS v ON p.id = v.person_id"],
    ["people JOIN visits ON person_id = id", "people JOIN visits ON people.id = visits.person_id"],
    [
      "people p LEFT JOIN visits v ON v.person_id = p.id AND cost > 3",
      "people AS p LEFT JOIN visits AS v ON p.id = v.person_id AND v.cost > 3",
    ],
    ["visits JOIN items USING (visit_id)", "visits JOIN items ON visits.visit_id = items.visit_id"],
    [
      "items i JOIN (people p JOIN visits v ON v.person_id = p.id) USING (visit_id)",
      "items AS i JOIN (people AS p JOIN visits AS v ON p.id = v.person_id) ON i.visit_id = v.visit_id",
    ],
    [
      "visits a JOIN visits b ON a.visit_id = b.visit_id",
      "visits AS a JOIN visits AS b ON a.visit_id = b.visit_id",
    ],
    ["items JOIN codes ON items.code = codes.code", "items JOIN codes ON items.code = codes.code"],
    ["items JOIN codes USING (code)", "items JOIN codes ON items.code = codes.code"],
    ["items CROSS JOIN days", "items JOIN days ON TRUE"],
    ["codes LEFT JOIN items USING (code)", "codes LEFT JOIN items ON codes.code = items.code"],
    ["items RIGHT JOIN codes USING (code)", "items RIGHT JOIN codes ON items.code = codes.code"],
    [
      "(VALUES ('x', 1), ('it''s', 2)) AS l(code, n) LEFT JOIN items ON items.code = l.code",
      "(VALUES ('x', 1), ('it''s', 2)) AS l(code, n) LEFT JOIN items ON items.code = l.code",
    ],
    [
      "UNNEST(ARRAY['x', 'y']) AS u(code) LEFT JOIN items ON items.code = u.code",
      "(VALUES ('x'), ('y')) AS u(code) LEFT JOIN items ON items.code = u.code",
    ],
    [
      "generate_series(1, 7, 3) AS s LEFT JOIN items ON price >= s",
      "(VALUES (1), (4), (7)) AS s(s) LEFT JOIN items ON items.price >= s.s",
    ],
    [
      "UNNEST([1, 5]) AS n LEFT JOIN items ON price = n",
      "(VALUES (1), (5)) AS n(n) LEFT JOIN items ON items.price = n.n",
    ],
    ["guests LEFT JOIN codes USING (code)", "guests LEFT JOIN codes ON guests.code = codes.code"],
    ["people FULL JOIN visits ON id = person_id", "people FULL JOIN visits ON people.id = visits.person_id"],
  ])("%s", async (from, written) => {
    const question = await resolve(`SELECT COUNT(*) FROM ${from}`);
    expect(writeFrom(question.from)).toBe(written);
    // What is written is read as the same.
    if (!from.includes("USING")) {
      const again = await resolve(`SELECT COUNT(*) FROM ${written}`);
      expect(again.from).toEqual(question.from);
    }
  });

  test("tables with a comma are joined by what WHERE equates, and the rest stays", async () => {
    const text =
      "SELECT COUNT(*) FROM people p, visits v, items i WHERE i.visit_id = v.visit_id AND p.id = v.person_id AND cost > 3 AND price < 3";
    const { from, where } = await resolve(text);
    expect(writeFrom(from)).toBe(
      "people AS p JOIN visits AS v ON p.id = v.person_id JOIN items AS i ON v.visit_id = i.visit_id",
    );
    expect(writeSql(where!)).toBe("(v.cost > 3) AND (i.price < 3)");
  });

  test("a subquery's filter stays where it is, and its columns go by their new names", async () => {
    const { from, groupBy, aggregates } = await resolve(
      "WITH dear AS (SELECT person_id AS who, cost * 2 AS twice, town FROM visits WHERE cost > 3) SELECT d.town, AVG(twice) FROM people JOIN dear d ON who = id GROUP BY d.town",
    );
    expect(from).toMatchObject({
      kind: "join",
      right: { kind: "filter", of: { kind: "table", source: "visits" } },
      keys: [{ left: { source: "people", column: "id" }, right: { source: "visits", column: "person_id" } }],
    });
    expect(groupBy.map(({ name }) => name)).toEqual(["visits.town"]);
    expect(aggregates).toMatchObject([
      { kind: "avg", argument: { operator: "*", domain: { bounds: [0, 18] } } },
    ]);
  });

  test("a table that is read twice has two sources", async () => {
    const { from } = await resolve(
      "WITH v AS (SELECT * FROM visits) SELECT COUNT(*) FROM v a JOIN v b ON a.visit_id = b.visit_id",
    );
    expect(tablesOf(from).map(({ source }) => source)).toEqual(["visits", "visits_2"]);
  });

  test("columns of the side that may be missing may be NULL", async () => {
    const counts = async (join: string): Promise<unknown> =>
      (
        await resolve(
          `SELECT COUNT(p."Age"), COUNT(p.town) FROM people p ${join} JOIN visits v ON v.person_id = p.id`,
        )
      ).aggregates;
    const always = [{ name: "COUNT(*)", kind: "count", argument: null }];
    expect(await counts("")).toEqual(always);
    expect(await counts("LEFT")).toEqual(always);
    const nullable = { kind: "count", argument: { domain: { nullable: true } } };
    expect(await counts("RIGHT")).toMatchObject([nullable, nullable]);
    expect(await counts("FULL")).toMatchObject([nullable, nullable]);
  });

  test("the unit is counted by a column that every row has", async () => {
    const counted = async (text: string): Promise<unknown> => (await resolve(text)).aggregates;
    const units = [{ name: expect.stringMatching(/^COUNT\(DISTINCT /), kind: "count-units" }];
    for (const name of ["id", "person_id", "v.person_id"])
      expect(
        await counted(`SELECT COUNT(DISTINCT ${name}) FROM people JOIN visits v ON id = person_id`),
      ).toEqual(units);
    expect(
      await counted(
        "SELECT COUNT(DISTINCT person_id) FROM (SELECT id AS person_id FROM people) p FULL JOIN visits USING (person_id)",
      ),
    ).toEqual(units);
    const error = await refusal(
      "SELECT COUNT(DISTINCT person_id) FROM people LEFT JOIN (visits JOIN items USING (visit_id)) ON id = person_id",
    );
    expect(error.fix).toContain("COUNT(DISTINCT id)");
  });

  test("what a question says of its own tables is said in OPTIONS too", async () => {
    const asked = (column: string): Promise<ResolvedQuery> =>
      resolve(
        `WITH v AS (SELECT * FROM visits) SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column = ${column}) COUNT(*) FROM people JOIN v ON id = person_id`,
      );
    expect((await asked("person_id")).options.privacyUnitColumn).toBe("person_id");
    await expect(asked("town")).rejects.toMatchObject({ code: "query.option" });
  });
});

describe("refusals, with the place and what is accepted", () => {
  test.each([
    ["people, visits", "without the keys", "ON people.id = visits.person_id", "visits"],
    ["people p JOIN visits v ON p.town = v.town", "without the keys", "ON p.id = v.person_id", "people p"],
    ["people CROSS JOIN visits", "without the keys", "ON people.id = visits.person_id", "people"],
    ["items i JOIN visits v ON i.code = v.town", "without the keys", "ON i.visit_id = v.visit_id", "items"],
    [
      "people JOIN loans ON id = borrower",
      "the policy does not say that the units",
      "references: people.id",
      "people",
    ],
    [
      "guests g JOIN people p ON g.code = p.town",
      "each row of guests is a unit",
      "ask guests alone",
      "guests",
    ],
    ["items FULL JOIN codes USING (code)", "match no unit's row", "write LEFT JOIN", "items"],
    [
      "(SELECT c.kind, i.price FROM codes c LEFT JOIN items i USING (code)) x",
      "keeps public rows that match no unit's row",
      "into the question itself",
      null,
    ],
    [
      "codes LEFT JOIN items USING (code) JOIN days ON day = price",
      "leave out groups",
      "write LEFT JOIN",
      null,
    ],
    ["generate_series(1, 5000) AS n LEFT JOIN items ON price = n", "1 to 1000 rows", "fewer rows", null],
    ["generate_series(1, 5, 0) AS n LEFT JOIN items ON price = n", "a step other than 0", "a step", null],
    ["UNNEST(ARRAY['a', 1]) AS n LEFT JOIN items ON price = n", "not all texts", "one type", null],
    ["UNNEST(ARRAY[NULL]) AS n LEFT JOIN items ON price = n", "no NULL", "write texts", null],
    [
      "json_each('{}') AS n JOIN items ON price = n",
      "JSON_EACH is not answered in FROM",
      "generate_series",
      null,
    ],
    ["items JOIN codes ON TRUE", "every row of codes", "ON x = codes.code", "codes"],
    ["items JOIN codes ON items.code < codes.code", "every row of codes", "ON x = codes.code", "codes"],
    ["items CROSS JOIN (many a CROSS JOIN many b)", "every row of many", "max_rows", "many a"],
    [
      "guests JOIN days ON fee = day",
      "may match at most one row of days",
      "declare the public table's key",
      "guests",
    ],
    [
      "guests JOIN codes ON fee > 1",
      "may match at most one row of codes",
      "ON x = public_table.key",
      "guests",
    ],
    ["people NATURAL JOIN visits", "NATURAL", "USING (town)", "people"],
    ["visits JOIN visits ON TRUE", 'names "visits" twice', "visits AS a JOIN visits AS b", "visits"],
    [
      "codes a JOIN codes b USING (kind)",
      "are public: there is nothing to protect",
      "join a table that has a unit",
      null,
    ],
    ["codes", "is public: there is nothing to protect", "join a table that has a unit", null],
    ["(SELECT town FROM visits GROUP BY town) x", "a subquery that aggregates", "aggregate in", "town"],
    ["(SELECT town FROM visits LIMIT 3) x", "shows, filters and joins", "limit outside", "town"],
    [
      "(SELECT cost FROM visits UNION SELECT age FROM people) x",
      "aggregates rows of several units",
      "join the table that names the unit",
      null,
    ],
    [
      "(SELECT cost FROM visits UNION ALL SELECT code FROM codes) x",
      "codes is public",
      "join the public table",
      null,
    ],
    [
      "(SELECT cost FROM visits UNION ALL SELECT fee FROM guests) x",
      "each row of guests is a unit",
      "name the unit",
      null,
    ],
    [
      "(SELECT cost FROM visits UNION ALL SELECT sum FROM loans) x",
      "units of visits and loans",
      "declare it",
      null,
    ],
    [
      "(SELECT cost FROM visits UNION ALL SELECT * FROM people) x",
      "different numbers of columns",
      "instead of *",
      null,
    ],
    [
      "(SELECT cost FROM visits UNION ALL SELECT age FROM people ORDER BY 1) x",
      "shows, filters and joins",
      "group, order",
      null,
    ],
    [
      "people LEFT JOIN LATERAL (SELECT * FROM visits WHERE person_id = id) v ON cost > 3",
      "LATERAL is joined by",
      "ON TRUE",
      null,
    ],
    ["visits AS v(a, b)", "FROM cannot rename columns", "write FROM visits", "visits"],
    ["(people JOIN visits ON id = person_id) AS x", "a join has no name", "name the tables", "people"],
  ])("FROM %s", async (from, wrong, fix, at) => {
    const text = `SELECT COUNT(*) FROM ${from}`;
    const error = await refusal(text);
    expect(error.code).toMatch(/^query\.(unsupported|type|too-large)$/);
    expect(error.message).toContain(wrong);
    expect(error.fix).toContain(fix);
    if (at !== null) expect(text.slice(error.offset), `${error.offset}`).toMatch(new RegExp(`^${at}`));
    // Every question that is suggested whole is accepted.
    const { rewrite } = error.fields;
    if (rewrite !== undefined) await expect(resolve(String(rewrite))).resolves.toBeDefined();
  });

  test.each([
    [
      "SELECT town, COUNT(*) FROM people JOIN visits ON id = person_id GROUP BY 1",
      "could be several",
      "people.town or visits.town",
    ],
    [
      "SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.nothing",
      'there is no column "nothing" in v',
      "visit_id",
    ],
    [
      "SELECT COUNT(x.town) FROM people p JOIN visits v ON p.id = v.person_id",
      'no table or alias "x"',
      "p or v",
    ],
    [
      "SELECT SUM(i.visit_id) FROM items i JOIN visits v USING (visit_id)",
      "is a text, but a number is needed here",
      "CAST",
    ],
    ["SELECT COUNT(*) FROM people p JOIN visits v USING (id)", 'there is no column "id" in v', "person_id"],
    [
      "SELECT id, COUNT(*) FROM people JOIN visits ON id = person_id GROUP BY id",
      "names the privacy unit",
      "COUNT(DISTINCT id)",
    ],
    [
      "SELECT COUNT(*) FROM people WHERE town IN (SELECT town FROM visits)",
      "depend on rows of visits",
      "join visits on the key",
    ],
    [
      "SELECT COUNT(*) FROM items WHERE code NOT IN (SELECT code FROM codes)",
      "NOT IN keeps no row at all",
      "NOT EXISTS",
    ],
    [
      "SELECT COUNT(*) FROM items WHERE code IN (SELECT code, kind FROM codes)",
      "IN compares as many values as its subquery shows",
      "(a, b) IN",
    ],
    ["SELECT COUNT(*) FROM items WHERE code = (SELECT code FROM codes)", "a subquery", "ask whether rows"],
    [
      "SELECT COUNT(*) FROM items WHERE code > ANY (SELECT code FROM codes)",
      "asked with IN or EXISTS",
      "EXISTS (SELECT 1",
    ],
    [
      "SELECT COUNT(*) FROM items WHERE EXISTS (SELECT kind FROM codes GROUP BY kind HAVING COUNT(*) > 1)",
      "a subquery that aggregates",
      "aggregate in",
    ],
    [
      "SELECT COUNT(*) FROM items WHERE EXISTS (SELECT 1 FROM codes WHERE kind > items.code)",
      "every row would be joined with every row of codes",
      "max_rows",
    ],
    [
      "SELECT COUNT(*) FROM items WHERE price > 1 OR NOT code IN (SELECT kind FROM codes)",
      "NOT IN keeps no row at all where",
      "NOT EXISTS",
    ],
    [
      "SELECT kind, COUNT(*) FROM items WHERE code IN (SELECT code FROM codes) GROUP BY kind",
      "no column",
      "write one of",
    ],
    ["WITH RECURSIVE v AS (SELECT * FROM visits) SELECT COUNT(*) FROM v", "RECURSIVE", "remove RECURSIVE"],
    [
      "WITH v(a, b, c, d, e, f) AS (SELECT * FROM visits) SELECT COUNT(*) FROM v",
      "columns, and 6 names",
      "a name for each",
    ],
    [
      "WITH v AS (DELETE FROM visits RETURNING *) SELECT COUNT(*) FROM v",
      "WITH takes subqueries",
      "WITH v AS",
    ],
    [
      "SELECT COUNT(v.one) FROM people LEFT JOIN (SELECT person_id, 1 AS one FROM visits) v ON id = person_id",
      "may be missing",
      "compute outside",
    ],
    [
      "SELECT COUNT(DISTINCT person_id) FROM people LEFT JOIN (visits JOIN items USING (visit_id)) ON id = person_id",
      "may be missing",
      "COUNT(DISTINCT id)",
    ],
  ])("%s", async (text, wrong, fix) => {
    const error = await refusal(text);
    expect(error.message).toContain(wrong);
    expect(error.fix).toContain(fix);
    const { rewrite } = error.fields;
    if (rewrite !== undefined) await expect(resolve(String(rewrite))).resolves.toBeDefined();
  });

  test("a rewrite keeps the joins that are accepted", async () => {
    const error = await refusal(
      "SELECT v.town, FIRST(price) FROM visits v JOIN items i ON i.visit_id = v.visit_id WHERE cost > 2 GROUP BY v.town",
    );
    expect(error.fields.rewrite).toBe(
      "SELECT v.town, AVG(i.price) FROM visits AS v JOIN items AS i ON v.visit_id = i.visit_id WHERE v.cost > 2 GROUP BY v.town",
    );
  });

  test("tables that double at every step are refused before they are many", async () => {
    const steps = Array.from({ length: 40 }, (_, n) =>
      n === 0
        ? "t0 AS (SELECT * FROM visits)"
        : `t${n} AS (SELECT a.* FROM t${n - 1} a JOIN t${n - 1} b ON a.visit_id = b.visit_id)`,
    );
    const error = await refusal(`WITH ${steps.join(", ")} SELECT COUNT(*) FROM t39`);
    expect(error.code).toBe("query.too-large");
  });
});

describe("groups of public rows that an outer join keeps", () => {
  const kept = "codes c LEFT JOIN items i ON i.code = c.code";

  test("are those of public columns, whatever the conditions of ON", async () => {
    const { from, groupBy } = await resolve(`SELECT kind, COUNT(*) FROM ${kept} AND price > 2 GROUP BY kind`);
    expect(from).toMatchObject({ kind: "join", type: "inner", keeps: "left" });
    expect(groupBy.map(({ name }) => name)).toEqual(["c.kind"]);
  });

  test.each([
    [`SELECT kind, price, COUNT(*) FROM ${kept} GROUP BY kind, price`, "i.price is none of their columns"],
    [`SELECT kind, COUNT(*) FROM ${kept} WHERE price > 2 GROUP BY kind`, "by what is no key of theirs"],
    [`SELECT kind, COUNT(*) FROM ${kept} WHERE c.code = 'x' GROUP BY kind`, "by what is no key of theirs"],
    [`SELECT kind, COUNT(*) FROM ${kept} WHERE i.price IS NULL GROUP BY kind`, "by what is no key of theirs"],
    [
      `SELECT kind, COUNT(*) FROM ${kept} WHERE price IN (SELECT day FROM days) GROUP BY kind`,
      "a subquery in WHERE",
    ],
  ])("%s is refused", async (text, wrong) => {
    expect((await refusal(text)).message).toContain(wrong);
  });
});

describe("columns of a UNION ALL that share a name", () => {
  test("are shown by *, each with the values that its domain says", async () => {
    const twins = "SELECT price AS x, cost AS x FROM items i JOIN visits v USING (visit_id)";
    const { from } = await resolve(
      `SELECT COUNT(a) FROM (SELECT price AS a, cost AS b FROM items i JOIN visits v USING (visit_id) UNION ALL
       SELECT * FROM (${twins} UNION ALL ${twins}) u) t`,
    );
    if (from.kind !== "union") throw new Error("a union was asked");
    const inner = from.parts[1]!.of;
    if (inner.kind !== "union") throw new Error("a union was asked");
    for (const [outside, type, nullable] of [
      ["a", "integer", true],
      ["b", "number", true],
    ] as const) {
      const read = from.parts[1]!.values[outside]!;
      expect(read).toMatchObject({ kind: "column", source: inner.source, domain: { nullable } });
      expect(inner.columns[(read as { readonly name: string }).name]).toMatchObject({ type });
    }
  });

  test("may be called as no column of an object can be", async () => {
    const text = `SELECT COUNT("__proto__") FROM (SELECT cost AS "__proto__" FROM visits UNION ALL SELECT cost FROM visits) t`;
    const { from, aggregates } = await resolve(text);
    if (from.kind !== "union") throw new Error("a union was asked");
    const [counted] = aggregates;
    if (counted?.kind !== "count" || counted.argument?.kind !== "column")
      throw new Error("a count was asked");
    expect(Object.keys(from.columns)).toEqual([counted.argument.name]);
  });

  test("cannot be named", async () => {
    const twins = "SELECT cost AS x, town AS x FROM visits";
    expect((await refusal(`SELECT COUNT(x) FROM (${twins} UNION ALL ${twins}) t`)).message).toMatch(
      /several/,
    );
  });
});
