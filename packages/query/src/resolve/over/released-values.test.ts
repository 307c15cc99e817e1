import { describe, expect, it, test } from "vitest";
import { releasedIn } from "../../expressions/operators/released.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { questionIdentity } from "../names/question-identity.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, age: { type: integer, bounds: [0, 9], default: 0 },
    born: { type: date, bounds: [2000-01-01, 2000-12-31] }, note: { type: text } } }
  towns: { file: a.duckdb, public: true, key: town, columns: { town: { type: text }, size: { type: integer, bounds: [0, 9] } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);

const mean = "(SELECT AVG(age) FROM people)";

/** The questions of a text in their order, each with the SQL of the values that it reads. */
function readBy({ others = [], ...own }: ResolvedQuery): readonly (readonly string[])[] {
  const { over: _, ...first } = own;
  return [first, ...others.map(({ query }) => query)].map((query) => releasedIn(query).map(({ sql }) => sql));
}

describe("a value that is released before rows are read", () => {
  test.each([
    ["of a condition", `SELECT COUNT(*) FROM people WHERE age > ${mean}`],
    ["within an aggregate", `SELECT AVG(CASE WHEN age > ${mean} THEN 1.0 ELSE 0.0 END) AS above FROM people`],
    ["of a filter", `SELECT COUNT(*) FILTER (WHERE age > ${mean}), COUNT(*) FROM people`],
    [
      "in a subquery of rows",
      `SELECT town, COUNT(*) FROM (SELECT town FROM people WHERE age > ${mean}) t GROUP BY town`,
    ],
    [
      "in WITH",
      `WITH old AS (SELECT town FROM people WHERE age > ${mean}) SELECT town, COUNT(*) FROM old GROUP BY town`,
    ],
    ["of a key", `SELECT age > ${mean} AS old, COUNT(*) FROM people GROUP BY 1`],
    [
      "of a key by its name",
      `SELECT CASE WHEN age > ${mean} THEN 'old' ELSE 'young' END AS of_age, COUNT(*) FROM people GROUP BY of_age ORDER BY of_age`,
    ],
    ["of a key that is written again", `SELECT age > ${mean}, COUNT(*) FROM people GROUP BY age > ${mean}`],
    [
      "of an answer that WITH names",
      `WITH m AS (SELECT AVG(age) AS a FROM people) SELECT COUNT(*) FROM people WHERE age > (SELECT a FROM m)`,
    ],
    [
      "beside a comparison with the answer",
      `SELECT town, AVG(age) FROM people WHERE age > ${mean} GROUP BY town HAVING AVG(age) > ${mean}`,
    ],
    [
      "of an answer beside the table",
      `WITH m AS (SELECT AVG(age) AS a FROM people) SELECT COUNT(*) FROM people CROSS JOIN m WHERE age > m.a`,
    ],
    [
      "of an answer behind a comma, by its bare name",
      `SELECT COUNT(*) FROM people p, (SELECT AVG(age) AS a FROM people) m WHERE p.age > a`,
    ],
    [
      "of an answer that is joined by a condition",
      `WITH m AS (SELECT AVG(age) AS a FROM people) SELECT town, COUNT(*) FROM people JOIN m ON age > m.a GROUP BY town`,
    ],
    [
      "of an answer beside the rows of a subquery",
      `WITH m AS (SELECT AVG(age) AS a FROM people) SELECT COUNT(*) FROM (SELECT p.age, m.a FROM people p CROSS JOIN m) t WHERE t.age > t.a`,
    ],
    [
      "of an answer that * shows",
      `WITH m AS (SELECT AVG(age) AS a FROM people), t AS (SELECT * FROM people, m) SELECT COUNT(*) FROM t WHERE age > a`,
    ],
    [
      "of an answer beside tables, in an answer that is read again",
      `WITH m AS (SELECT AVG(age) AS a FROM people), t AS (SELECT town, COUNT(*) AS n FROM people, m WHERE age > a GROUP BY town) SELECT MAX(n) FROM t`,
    ],
    [
      "in a part of a union",
      `SELECT COUNT(*) AS n FROM people WHERE age > ${mean} UNION ALL SELECT COUNT(*) FROM people WHERE age <= ${mean}`,
    ],
  ])("%s is one of another question, which is asked first", async (_, text) => {
    const query = await resolve(text);
    const [first = [], ...others] = readBy(query);
    expect(first).toEqual([]);
    expect(others.length).toBeGreaterThan(0);
    for (const read of others) expect(new Set(read).size).toBe(1);
    expect(query.aggregates.map(({ name }) => name)).toEqual(["AVG(age)"]);
  });

  it("is known by its SQL, blanks and comments left out", async () => {
    const { others = [] } = await resolve(
      "SELECT COUNT(*) FROM people WHERE age > 2 * (SELECT AVG(age) -- the mean\n   FROM people)",
    );
    expect(releasedIn(others).map(({ sql }) => sql)).toEqual(["(SELECT AVG(age) FROM people)"]);
  });

  it("has the type of its column, and whatever value of it there is", async () => {
    const { others = [] } = await resolve(
      "SELECT COUNT(*) FROM people WHERE born > (SELECT MEDIAN(born) FROM people) AND town = (SELECT town FROM people GROUP BY town ORDER BY COUNT(*) DESC LIMIT 1)",
    );
    expect(releasedIn(others).map(({ domain }) => domain)).toMatchObject([
      { type: "date", nullable: true, values: null },
      { type: "text", nullable: true, values: null },
    ]);
  });

  it("may be of a question that reads one itself: then three are asked, one after the other", async () => {
    const query = await resolve(
      `SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people WHERE age > ${mean})`,
    );
    expect(readBy(query).map((read) => read.length)).toEqual([0, 1, 1]);
  });

  it("differs where relations differ, though they are written alike", async () => {
    const { others = [] } = await resolve(
      `SELECT COUNT(*) FROM people WHERE age > ${mean} AND age < (SELECT AVG(age) FROM people WHERE town = 'a') AND age <> ${mean}`,
    );
    const [one, other, again] = releasedIn(others);
    expect(one).toEqual(again);
    expect(one?.sql).not.toBe(other?.sql);
  });

  it("has a name of its own where another one is written alike", async () => {
    const above = (value: string): string =>
      `SELECT COUNT(*) AS n FROM people, (SELECT ${value} AS a FROM people) m WHERE age > a`;
    const { released = [], others = [] } = await resolve(
      `${above("AVG(age)")} UNION ALL ${above("MEDIAN(age)")}`,
    );
    expect(new Set(released.map(({ sql }) => sql)).size).toBe(2);
    expect(new Set(releasedIn(others).map(({ sql }) => sql))).toEqual(
      new Set(released.map(({ sql }) => sql)),
    );
  });

  it("is the same however its subquery is written and called", async () => {
    const [one, other] = await Promise.all([
      resolve(`SELECT COUNT(*) AS n FROM people WHERE age > ${mean}`),
      resolve("SELECT COUNT(*) FROM people p WHERE p.age > (SELECT AVG( q.age ) FROM people AS q)"),
    ]);
    const { over: _, ...same } = JSON.parse(questionIdentity(one));
    const { over: __, ...again } = JSON.parse(questionIdentity(other));
    expect(JSON.stringify(again.others[0].query.where)).toBe(JSON.stringify(same.others[0].query.where));
  });
});

describe("a list that is released before rows are read", () => {
  const top = "SELECT note FROM people GROUP BY note ORDER BY COUNT(*) DESC LIMIT 3";

  it("has as many values as there may be rows, each the row of its place", async () => {
    const { released = [], others = [] } = await resolve(
      `SELECT note, AVG(age) FROM people WHERE note IN (${top}) GROUP BY note`,
    );
    expect(released.map(({ sql }) => sql)).toEqual([1, 2, 3].map((row) => `row ${row} of (${top})`));
    expect(released.map(({ of }) => (of.kind === "shown" ? of.of : of))).toMatchObject(
      [0, 1, 2].map((offset) => ({ kind: "ordered", limit: 1, offset })),
    );
    expect(others).toHaveLength(1);
    expect(JSON.stringify(others[0]?.query.where)).toContain('"is-true"');
  });

  test.each([
    ["public groups", "town IN (SELECT town FROM people GROUP BY town HAVING COUNT(*) > 100)", 2],
    ["a list that is not to be met", `note NOT IN (${top})`, 3],
    ["an answer that WITH names", "town IN (SELECT town FROM counted WHERE n > 10)", 2],
    ["a value of all", "age IN (SELECT MEDIAN(age) FROM people)", 1],
  ])("may be of %s", async (_, condition, count) => {
    const { released = [] } = await resolve(
      `WITH counted AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town) SELECT COUNT(*) FROM people WHERE ${condition}`,
    );
    expect(released).toHaveLength(count);
  });

  test.each([
    "SELECT note FROM people GROUP BY note HAVING COUNT(*) > 100",
    "SELECT note FROM people GROUP BY note ORDER BY COUNT(*) DESC LIMIT 21",
    "SELECT town, note FROM people GROUP BY town, note ORDER BY COUNT(*) LIMIT 3",
  ])("is refused where it may be long, or has several columns: %s", async (list) => {
    const { message, fix } = await refusalOf(resolve(`SELECT COUNT(*) FROM people WHERE note IN (${list})`));
    expect(message).toMatch(/one column, and at most 20 rows/);
    expect(fix).toContain("LIMIT 20");
  });
});

describe("an answer beside tables", () => {
  it("leaves names within subqueries what they are", async () => {
    const { others = [] } = await resolve(
      "SELECT COUNT(*) FROM (SELECT age AS years FROM people) t, (SELECT AVG(age) AS age FROM people) m WHERE years > age",
    );
    const [main] = others.map(({ query }) => query);
    expect(main?.where && writeSql(main.where)).toBe("people.age > (SELECT age FROM m)");
    expect(releasedIn(main?.from)).toEqual([]);
  });

  test.each([
    "WITH m AS (SELECT town, AVG(age) AS a FROM people GROUP BY town) SELECT COUNT(*) FROM people JOIN m USING (town) WHERE age > m.a",
    "WITH m AS (SELECT AVG(age) AS a FROM people) SELECT COUNT(*) FROM people LEFT JOIN m ON age > m.a",
    "WITH m AS (SELECT AVG(age) AS a FROM people HAVING COUNT(*) > 9) SELECT COUNT(*) FROM people CROSS JOIN m",
  ])("of several rows, of none, or joined from outside, is refused: %s", async (text) => {
    const { code } = await refusalOf(resolve(text));
    expect(code).toBe("query.unsupported");
  });
});

describe("a subquery that is no released value", () => {
  test.each([
    [
      "SELECT COUNT(*) FROM people WHERE age > (SELECT age FROM people)",
      /a subquery cannot be part of a question/,
    ],
    [
      "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people GROUP BY town)",
      /one column and one row/,
    ],
    [
      "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM strangers)",
      /a subquery cannot be part of a question/,
    ],
    [
      "WITH m AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town) SELECT COUNT(*) FROM people WHERE age > (SELECT MAX(n + size) FROM m JOIN towns USING (town))",
      /public tables/,
    ],
  ])("%s", async (text, message) => {
    const { message: said } = await refusalOf(resolve(text));
    expect(said).toMatch(message);
  });
});
