import { describe, expect, it, test } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { JoinRelation, Relation, SemijoinRelation, UnionRelation } from "../../relations/relation.ts";
import { writeFrom } from "../../relations/write-from.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

/** What a fix says of the fault itself, before the question that it suggests. */
const ownFix = (fix: string): string | undefined => fix.split(/; (?:for example|a question near it)/)[0];

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, age: { type: integer, bounds: [0, 9], default: 0 } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, columns: {
    visit_id: { type: text }, person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, town: { type: text } } }
  items: { file: a.duckdb, unit: { through: visit_id, references: visits.visit_id }, columns: {
    visit_id: { type: text }, price: { type: integer, bounds: [1, 6] }, code: { type: text, categories: [x, y], default: x } } }
  codes: { file: a.duckdb, public: true, key: code, columns: {
    code: { type: text, categories: [x, y], default: y }, kind: { type: text }, level: { type: integer, bounds: [0, 5] } } }
  days: { file: a.duckdb, public: true, max_rows: 7, columns: { day: { type: integer } } }
  guests: { file: a.duckdb, unit: row, columns: { code: { type: text }, fee: { type: number, bounds: [0, 3] } } }
  loans: { file: a.duckdb, unit: borrower, columns: { borrower: { type: integer }, sum: { type: number, bounds: [0, 3] } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);
const fromOf = async (from: string): Promise<Relation> =>
  (await resolve(`SELECT COUNT(*) FROM ${from}`)).from;
const counted = async (expression: string, from: string): Promise<unknown> => {
  const { aggregates } = await resolve(`SELECT COUNT(NULLIF(${expression}, 'x')) FROM ${from}`);
  const [count] = aggregates;
  return count?.kind === "count" && count.argument ? writeSql(count.argument) : null;
};

describe("a join", () => {
  test("keeps what it is joined on beside the keys, and drops what is always true", async () => {
    const from = "people p JOIN visits v ON TRUE AND v.person_id = p.id AND cost > 3 AND age < 5";
    expect(await fromOf(from)).toMatchObject({
      type: "inner",
      keys: [{ left: { source: "p", column: "id" }, right: { source: "v", column: "person_id" } }],
    });
    expect(writeSql(((await fromOf(from)) as JoinRelation).on!)).toBe("(v.cost > 3) AND (p.age < 5)");
    expect(await fromOf("people p JOIN visits v ON TRUE AND v.person_id = p.id")).toMatchObject({ on: null });
  });

  test("has every key that is equated, from left to right", async () => {
    const { keys } = (await fromOf(
      "visits a JOIN visits b ON b.visit_id = a.visit_id AND a.person_id = b.person_id",
    )) as JoinRelation;
    expect(keys).toEqual(
      ["visit_id", "person_id"].map((column) => ({
        left: { source: "a", column },
        right: { source: "b", column },
      })),
    );
  });

  test("on a condition that no pair meets is refused where only pairs are kept", async () => {
    const on = (type: string): string =>
      `SELECT COUNT(*) FROM people ${type} JOIN visits ON id = person_id AND cost > 100`;
    const text = on("INNER");
    const refused = await refusalOf(resolve(text));
    expect(refused.code).toBe("query.impossible");
    expect(text.slice(refused.offset)).toMatch(/^(cost )?> 100/);
    for (const type of ["LEFT", "RIGHT", "FULL"]) await expect(resolve(on(type))).resolves.toBeDefined();
  });

  test("on what is no condition is pointed at", async () => {
    const text = "SELECT COUNT(*) FROM people JOIN visits ON id = person_id AND cost";
    expect(await refusalOf(resolve(text))).toMatchObject({
      code: "query.type",
      offset: text.indexOf("cost"),
    });
  });

  test("names each side once, however it is written", async () => {
    const refused = await refusalOf(fromOf("visits JOIN VISITS ON TRUE"));
    expect(refused.message).toContain("twice");
    expect(refused.fix).toContain("visits AS a JOIN visits AS b");
  });
});

describe("a column of USING", () => {
  test.each([
    ["is the left's", "items JOIN codes USING (code)", "NULLIF(items.code, 'x')"],
    [
      "is the left's where the right may be missing",
      "items LEFT JOIN codes USING (code)",
      "NULLIF(items.code, 'x')",
    ],
    [
      "is the right's where the left may be missing",
      "codes RIGHT JOIN items USING (code)",
      "NULLIF(items.code, 'x')",
    ],
    [
      "is whichever is there where both may be missing",
      "(SELECT visit_id AS v, code FROM items) a FULL JOIN (SELECT visit_id AS v, code FROM items) b USING (v, code)",
      "NULLIF(COALESCE(items.code, items_2.code), 'x')",
    ],
  ])("%s: %s", async (_, from, expected) => {
    expect(await counted("code", from)).toBe(expected);
  });

  test("is NULL where the side that has it may be missing", async () => {
    const domainOf = async (from: string): Promise<unknown> =>
      (await resolve(`SELECT code, COUNT(*) FROM ${from} GROUP BY 1`)).groupBy[0]!.expression.domain.nullable;
    const merged = "items JOIN codes USING (code)";
    expect(await domainOf(merged)).toBe(false);
    expect(await domainOf(`${merged} LEFT JOIN visits v ON v.visit_id = items.visit_id`)).toBe(false);
    expect(await domainOf(`${merged} RIGHT JOIN visits v ON v.visit_id = items.visit_id`)).toBe(true);
    expect(await domainOf(`${merged} FULL JOIN visits v ON v.visit_id = items.visit_id`)).toBe(true);
    expect(await domainOf(`visits v LEFT JOIN (${merged}) ON v.visit_id = items.visit_id`)).toBe(true);
    expect(await domainOf(`visits v RIGHT JOIN (${merged}) ON v.visit_id = items.visit_id`)).toBe(false);
  });

  test("stands once in *, and first", async () => {
    const all = (await fromOf(
      "(SELECT * FROM items JOIN codes USING (code) UNION ALL SELECT code, visit_id, price, code, price FROM items) t",
    )) as UnionRelation;
    expect(Object.values(all.parts[0]!.values).map(writeSql)).toEqual([
      "items.code",
      "items.visit_id",
      "items.price",
      "codes.kind",
      "codes.level",
    ]);
    const one = (await fromOf(
      "(SELECT CODES.* FROM items JOIN codes USING (code) UNION ALL SELECT code, code, price FROM items) t",
    )) as UnionRelation;
    expect(Object.values(one.parts[0]!.values).map(writeSql)).toEqual([
      "codes.code",
      "codes.kind",
      "codes.level",
    ]);
    expect((await refusalOf(fromOf("(SELECT x.* FROM items) t"))).message).toContain('no table or alias "x"');
  });
});

describe("only rows of one unit are joined", () => {
  const perPerson = "(SELECT person_id, COUNT(*) AS n, MAX(town) AS town FROM visits GROUP BY person_id)";

  test("values of each unit are joined by the unit", async () => {
    for (const on of ["a.person_id = b.person_id", "b.person_id = a.person_id AND a.n > 2"])
      expect(await fromOf(`${perPerson} a JOIN ${perPerson} b ON ${on}`)).toMatchObject({
        kind: "join",
        keys: [],
      });
    expect(await fromOf(`people JOIN ${perPerson} b ON id = person_id`)).toMatchObject({ keys: [] });
  });

  test.each([
    [`${perPerson} a JOIN ${perPerson} b ON a.n = b.n`, /ON a\.person_id = b\.person_id$/],
    [
      "(SELECT cost FROM visits) a JOIN (SELECT price FROM items) b ON a.cost = b.price",
      /^join them through the table/,
    ],
    ["visits v JOIN items i ON v.visit_id = i.visit_id OR TRUE", /ON v\.visit_id = i\.visit_id$/],
    ["visits v JOIN items i ON v.visit_id <> i.visit_id", /ON v\.visit_id = i\.visit_id$/],
    ["visits v JOIN items i ON NOT v.visit_id = i.visit_id", /ON v\.visit_id = i\.visit_id$/],
    ["visits v LEFT JOIN items i ON v.visit_id = UPPER(i.visit_id)", /ON v\.visit_id = i\.visit_id$/],
  ])("%s is refused", async (from, fix) => {
    const refused = await refusalOf(fromOf(from));
    expect(refused.code).toBe("query.unsupported");
    expect(refused.message).toContain("without the keys that show that they belong to one unit");
    expect(ownFix(refused.fix)).toMatch(fix);
  });

  test.each([
    ["people JOIN loans ON id = borrower", "people", "loans", "people.id"],
    ["loans JOIN visits ON borrower = person_id", "loans", "visits", "loans.borrower"],
  ])("%s: nothing says that two names are of one unit", async (from, one, other, references) => {
    const { message, fix } = await refusalOf(fromOf(from));
    expect(message).toContain(`the units of ${one} and ${other}`);
    expect(fix).toContain(`below ${other}, unit: { through: a_column, references: ${references} }`);
  });
});

describe("a row that is a unit meets one public row at most", () => {
  it.each([
    "guests g JOIN codes c ON c.code = g.code AND level > 1",
    "guests g JOIN codes c ON c.code = 'x'",
    "codes c JOIN guests g ON UPPER(g.code) = c.code",
  ])("%s", async (from) => {
    const relation = (await fromOf(from)) as JoinRelation;
    const met = [relation.left, relation.right].find(
      (side) => side.kind === "table" && side.table === "codes",
    );
    expect(met).toMatchObject({ oncePer: "code" });
    expect([relation.left, relation.right].find((side) => side !== met)).toMatchObject({ oncePer: null });
  });

  it.each([
    ["the other side reads the public table too", "guests g JOIN codes c ON c.code = g.code || c.kind"],
    ["the key need not be met", "guests g JOIN codes c ON c.code = g.code OR level > 1"],
    ["it is met by another column", "guests g JOIN codes c ON c.kind = g.code"],
    ["it is met by a key of the unit's own", "guests g JOIN codes c ON g.code = 'x'"],
    ["the public side is a join", "guests g JOIN (codes c JOIN days ON day = level) ON c.code = g.code"],
    [
      "the public side is filtered",
      "guests g JOIN (SELECT * FROM codes WHERE level > 1) c ON c.code = g.code",
    ],
  ])("is refused where %s", async (_, from) => {
    const refused = await refusalOf(fromOf(from));
    expect(refused.message).toContain("a row of guests is a unit, and may match at most one row of codes");
  });
});

describe("a condition on public rows", () => {
  const semijoinOf = async (condition: string): Promise<SemijoinRelation> =>
    (await fromOf(`items i WHERE ${condition}`)) as SemijoinRelation;
  const inCodes = "i.code = codes.code";

  test.each([
    ["code IN (SELECT code FROM codes)", false, inCodes],
    ["code = ANY (SELECT code FROM codes)", false, inCodes],
    ["code NOT IN (SELECT code FROM codes)", true, inCodes],
    ["NOT code IN (SELECT code FROM codes)", true, inCodes],
    ["NOT (code NOT IN (SELECT code FROM codes))", false, inCodes],
    ["EXISTS (SELECT 1 FROM codes WHERE code = i.code)", false, "codes.code = i.code"],
    ["NOT EXISTS (SELECT 1 FROM codes WHERE code = i.code)", true, "codes.code = i.code"],
    ["NOT (NOT EXISTS (SELECT 1 FROM codes WHERE code = i.code))", false, "codes.code = i.code"],
    [
      "code IN (SELECT code FROM codes WHERE level > 1 AND price < 3)",
      false,
      "(i.code = codes.code) AND (codes.level > 1) AND (i.price < 3)",
    ],
    ["EXISTS (SELECT 1 FROM days)", false, "TRUE"],
    ["EXISTS (SELECT 1 FROM days i WHERE i.day > 1)", false, "i_2.day > 1"],
  ])("%s", async (condition, not, on) => {
    const relation = await semijoinOf(condition);
    expect(relation).toMatchObject({ kind: "semijoin", not, of: { table: "items" }, among: {} });
    expect(writeSql(relation.on)).toBe(on);
  });

  test("names of the subquery hide those around it, and those that USING merged", async () => {
    const from =
      "items JOIN codes USING (code) WHERE EXISTS (SELECT 1 FROM codes c WHERE code = items.code AND c.level = price)";
    expect(writeSql(((await fromOf(from)) as SemijoinRelation).on)).toBe(
      "(c.code = items.code) AND (c.level = items.price)",
    );
    const outer =
      "items JOIN codes USING (code) WHERE EXISTS (SELECT 1 FROM days WHERE day = price AND code = 'x')";
    expect(writeSql(((await fromOf(outer)) as SemijoinRelation).on)).toBe(
      "(days.day = items.price) AND (items.code = 'x')",
    );
  });

  test("that no public row can meet is refused, unless the rows are kept then", async () => {
    const none = "EXISTS (SELECT 1 FROM codes WHERE code = i.code AND level > 9)";
    const text = `SELECT COUNT(*) FROM items i WHERE ${none}`;
    const refused = await refusalOf(resolve(text));
    expect(refused.code).toBe("query.impossible");
    expect(text.slice(refused.offset)).toMatch(/^(level )?> 9/);
    await expect(semijoinOf(`NOT ${none}`)).resolves.toMatchObject({ not: true });
    await expect(refusalOf(semijoinOf("EXISTS (SELECT 1 FROM codes WHERE level)"))).resolves.toMatchObject({
      code: "query.type",
    });
  });

  test.each([
    [
      "price NOT IN (SELECT level FROM codes)",
      "where i.price is NULL|where codes.level is NULL",
      "NOT EXISTS",
    ],
    ["price + 1 NOT IN (SELECT 3 FROM codes)", "where i.price + 1 is NULL", "WHERE 3 = "],
    ["5 NOT IN (SELECT level FROM codes)", "where codes.level is NULL", "WHERE codes.level = 5"],
    ["code IN (SELECT code, kind FROM codes)", "IN compares as many", "(a, b) IN"],
    ["(code, code) IN (SELECT code FROM codes)", "IN compares as many", "(a, b) IN"],
    ["code IN (SELECT FROM codes)", "IN compares as many", "(a, b) IN"],
    ["code > ANY (SELECT code FROM codes)", "asked with IN or EXISTS", "EXISTS"],
    ["code = ALL (SELECT code FROM codes)", "asked with IN or EXISTS", "EXISTS"],
    [
      "EXISTS (SELECT 1 FROM codes UNION SELECT 2 FROM codes)",
      "codes is public: its rows belong to no unit",
      "join the public table",
    ],
    [
      "EXISTS (SELECT 1 FROM codes JOIN visits ON TRUE)",
      "depend on rows of visits",
      "join visits on the key",
    ],
    ["code IN (SELECT code FROM codes LIMIT 1)", "shows, filters and joins", "outside"],
    ["EXISTS (SELECT 1 FROM codes LIMIT 0)", "shows, filters and joins", "outside"],
  ])("%s is refused", async (condition, message, fix) => {
    const text = `SELECT COUNT(*) FROM items i WHERE price > 1 AND ${condition}`;
    const refused = await refusalOf(resolve(text));
    expect(refused.code).toBe("query.unsupported");
    expect(refused.message).toMatch(new RegExp(message.replaceAll("+", "\\+")));
    expect(refused.fix).toContain(fix);
    expect(refused.offset).toBeGreaterThan(text.indexOf("AND"));
  });
});

describe("the unit in a UNION ALL", () => {
  const both = "(SELECT id, town FROM people UNION ALL SELECT person_id, town FROM visits) u";

  test("is counted where every part shows it in the same place", async () => {
    const { aggregates } = await resolve(`SELECT COUNT(DISTINCT id), COUNT(id), COUNT(*) FROM ${both}`);
    expect(aggregates).toMatchObject([{ kind: "count-units" }, { kind: "count", argument: null }]);
    expect(aggregates.map(({ name }) => name)).toEqual(["COUNT(DISTINCT id)", "COUNT(*)"]);
    expect(await fromOf(`${both} JOIN people p ON p.id = u.id`)).toMatchObject({ keys: [] });
  });

  test.each([
    "SELECT id AS x FROM people UNION ALL SELECT cost FROM visits",
    "SELECT cost AS x FROM visits UNION ALL SELECT id FROM people",
    "SELECT cost AS x FROM visits UNION ALL SELECT cost FROM visits UNION ALL SELECT person_id FROM visits",
  ])("is not read where a part shows it: %s", async (parts) => {
    for (const asked of ["COUNT(x)", "SUM(x)", "COUNT(DISTINCT x)"])
      expect((await refusalOf(resolve(`SELECT ${asked} FROM (${parts}) u`))).message).toContain(
        "names the privacy unit",
      );
    await expect(resolve(`SELECT COUNT(*) FROM (${parts}) u`)).resolves.toBeDefined();
  });

  test("is the same in all parts, whichever come first", async () => {
    for (const parts of [
      "SELECT cost FROM visits UNION ALL SELECT price FROM items UNION ALL SELECT sum FROM loans",
      "SELECT sum FROM loans UNION ALL SELECT cost FROM visits",
    ]) {
      const { message } = await refusalOf(fromOf(`(${parts}) u`));
      expect(message).toMatch(/units of (visits and loans|loans and visits) are the same/);
    }
  });

  test("values of several types are refused, and NULL is of every type", async () => {
    const parts = (a: string, b: string): string =>
      `(SELECT ${a} AS x FROM visits UNION ALL SELECT ${b} FROM visits) u`;
    expect((await refusalOf(fromOf(parts("cost", "town")))).code).toBe("query.type");
    const { from } = await resolve(`SELECT COUNT(x) FROM ${parts("NULL", "cost")}`);
    expect((from as UnionRelation).columns).toMatchObject({
      x: { type: "number", bounds: [0, 9], nullable: true },
    });
    expect(writeFrom(from)).toContain("SELECT NULL AS x FROM visits UNION ALL SELECT visits_2.cost AS x");
  });
});

describe("names", () => {
  test("the unit is suggested by a name that means one column", async () => {
    const fixOf = async (from: string): Promise<string> =>
      (await refusalOf(resolve(`SELECT b.person_id, COUNT(*) FROM ${from} GROUP BY 1`))).fix;
    const one = "(visits b JOIN items i USING (visit_id))";
    const counted = (from: string) => resolve(`SELECT COUNT(DISTINCT b.person_id) FROM ${from}`);
    expect(await fixOf("people LEFT JOIN visits b ON id = b.person_id")).toContain(
      "COUNT(DISTINCT person_id)",
    );
    for (const [from, fix] of [
      [`people LEFT JOIN ${one} ON id = b.person_id`, "COUNT(DISTINCT id)"],
      [`visits a LEFT JOIN ${one} ON a.visit_id = b.visit_id`, "COUNT(DISTINCT a.person_id)"],
      [`visits a LEFT JOIN ${one} USING (person_id)`, "COUNT(DISTINCT person_id)"],
    ] as const)
      expect((await refusalOf(counted(from))).fix).toContain(fix);
  });

  test("the unit of a side that may be missing is counted where that side is there", async () => {
    for (const from of [
      "people LEFT JOIN visits b ON id = b.person_id",
      "visits a LEFT JOIN visits b ON a.visit_id = b.visit_id",
      "visits b FULL JOIN people ON id = b.person_id",
    ]) {
      const { aggregates, where } = await resolve(
        `SELECT COUNT(DISTINCT b.person_id), COUNT(b.person_id) FROM ${from} WHERE b.person_id IS NOT NULL`,
      );
      expect(aggregates.map(({ kind }) => kind)).toEqual(["count-units-with", "count"]);
      expect(writeSql(where!)).toMatch(/^b(_2)?\.present IS TRUE$/);
    }
  });

  test("a name of two columns is refused with both, and each may be asked", async () => {
    const from = "people p JOIN visits v ON p.id = v.person_id";
    const { message, fix } = await refusalOf(resolve(`SELECT town, COUNT(*) FROM ${from} GROUP BY town`));
    expect(message).toBe('"town" could be several columns');
    expect(ownFix(fix)).toBe("write p.town or v.town");
    for (const name of ["p.town", "V.Town"])
      await expect(resolve(`SELECT ${name}, COUNT(*) FROM ${from} GROUP BY ${name}`)).resolves.toBeDefined();
  });

  test("a subquery's column goes by the exact name before another case", async () => {
    const { aggregates } = await resolve(
      'SELECT SUM("x"), SUM("X") FROM (SELECT cost AS "X", cost * 2 AS x FROM visits) t',
    );
    expect(aggregates.map((each) => each.kind === "sum" && writeSql(each.argument))).toEqual([
      "visits.cost * 2",
      "visits.cost",
    ]);
  });

  test("tables of FROM are joined by what WHERE says of two of them alone", async () => {
    const text =
      "SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.person_id AND p.town = v.town AND age < cost AND (cost > 1 OR age > 1)";
    const { from, where } = await resolve(text);
    expect(writeFrom(from)).toBe("people AS p JOIN visits AS v ON p.id = v.person_id AND p.town = v.town");
    expect(writeSql(where!)).toBe("(p.age < v.cost) AND ((v.cost > 1) OR (p.age > 1))");
    const alone = await resolve("SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.person_id");
    expect(alone.where).toBe(null);
    expect(
      (await refusalOf(resolve("SELECT COUNT(*) FROM people p, visits v WHERE p.id = p.id"))).message,
    ).toContain("without the keys");
  });
});

test("a question reads 16 tables at most", async () => {
  const joined = (count: number): string =>
    Array.from({ length: count }, (_, at) =>
      at === 0 ? "visits v0" : `JOIN visits v${at} ON v${at}.visit_id = v0.visit_id`,
    ).join(" ");
  expect(await fromOf(joined(16))).toMatchObject({ kind: "join" });
  const text = `SELECT COUNT(*) FROM ${joined(17)}`;
  expect(await refusalOf(resolve(text))).toMatchObject({
    code: "query.too-large",
    message: expect.stringContaining("more than 16 tables"),
    offset: text.indexOf("visits v16"),
  });
});

test.each([
  [
    "items i WHERE code NOT IN (SELECT code FROM codes)",
    "(items AS i WHERE NOT EXISTS (SELECT 1 FROM codes WHERE i.code = codes.code))",
  ],
  [
    "items i WHERE EXISTS (SELECT 1 FROM codes c WHERE c.code = i.code)",
    "(items AS i WHERE EXISTS (SELECT 1 FROM codes AS c WHERE c.code = i.code))",
  ],
  ["(SELECT cost FROM visits WHERE cost > 3) t", "(visits WHERE visits.cost > 3)"],
  [
    "people LEFT JOIN (visits v JOIN items i ON i.visit_id = v.visit_id) ON id = v.person_id",
    "people LEFT JOIN (visits AS v JOIN items AS i ON v.visit_id = i.visit_id) ON people.id = v.person_id",
  ],
])("the rows of %s are written for people", async (from, written) => {
  expect(writeFrom(await fromOf(from))).toBe(written);
});
