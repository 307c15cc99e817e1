import { parseRational } from "@lethe/core";
import { describe, expect, it, test } from "vitest";
import { publicValues } from "../../over/public-values.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planWorkload } from "../../plan/question/plan-workload.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { policyHash } from "../../policy/policy-hash.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
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

const grouped = "SELECT town, COUNT(*) AS n FROM people GROUP BY town";

describe("what is asked of the private question", () => {
  test.each([
    [
      "SELECT town, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () FROM people GROUP BY town",
      ["town", "part", "part_2"],
    ],
    [
      "SELECT town, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM people GROUP BY town",
      ["town", "n"],
    ],
    ["SELECT town, SUM(AVG(age)) OVER (PARTITION BY town) AS s FROM people GROUP BY 1", ["town", "part"]],
    [
      "SELECT town AS t, COUNT(*) FROM people GROUP BY t HAVING COUNT(*) > 3 QUALIFY ROW_NUMBER() OVER (ORDER BY AVG(age)) < 3",
      ["t", "count", "part"],
    ],
    ["SELECT DISTINCT COUNT(*) FROM people GROUP BY town", ["count"]],
    [`WITH a AS (${grouped}) SELECT MAX(n) FROM a`, ["town", "n"]],
    [`SELECT t.n FROM (${grouped}) AS t WHERE t.n > 3`, ["town", "n"]],
    [
      `WITH r AS (SELECT * FROM people WHERE age > 3), a AS (SELECT town, COUNT(*) AS n FROM r GROUP BY town) SELECT SUM(n) FROM a`,
      ["town", "n"],
    ],
  ])("%s", async (text, columns) => {
    const { outputs, over, text: whole } = await resolve(text);
    expect(outputs.map(({ name }) => name)).toEqual(columns);
    expect(over).toBeDefined();
    expect(whole).toBe(text);
  });

  it("HAVING without windows is asked inside, and with one is a filter of the answer", async () => {
    const { post, over } = await resolve(
      "SELECT town, COUNT(*) AS n FROM people GROUP BY town HAVING COUNT(*) > 3 AND n > AVG(COUNT(*)) OVER ()",
    );
    expect(post.having).toMatchObject({ operator: ">" });
    expect(post).toMatchObject({ orderBy: [], limit: null });
    expect(over).toMatchObject({ kind: "shown", of: { kind: "filtered", of: { kind: "windowed" } } });
  });

  it("a question that is answered without is never read so", async () => {
    for (const text of [
      grouped,
      `${grouped} HAVING COUNT(*) > 3 ORDER BY n LIMIT 2`,
      `WITH a AS (${grouped}) SELECT COUNT(*) FROM people`,
      "SELECT AVG(n) FROM (SELECT id, COUNT(*) AS n FROM people GROUP BY id) u",
    ])
      expect((await resolve(text)).over, text).toBeUndefined();
  });
});

describe("public tables beside an answer", () => {
  const read = async (text: string): Promise<readonly unknown[]> =>
    publicValues((await resolve(text)).over!).map(({ table, columns, rows }) => [
      table,
      columns.map(({ name }) => name),
      rows,
    ]);

  test.each([
    [`WITH a AS (${grouped}) SELECT a.n FROM a JOIN towns ON a.town = towns.town`, ["town"]],
    [`WITH a AS (${grouped}) SELECT a.n / size FROM towns t LEFT JOIN a USING (town)`, ["town", "size"]],
    [`WITH a AS (${grouped}) SELECT * FROM a, towns`, ["town", "size"]],
    [`WITH a AS (${grouped}) SELECT n FROM a WHERE n > (SELECT COUNT(*) FROM towns)`, ["town"]],
    [
      `WITH a AS (${grouped}), big AS (SELECT SIZE AS s FROM towns WHERE size > 3) SELECT n FROM a, big`,
      ["town", "size"],
    ],
  ])("are read column by column, and hold no rows before somebody pays: %s", async (text, columns) => {
    expect(await read(text)).toEqual([["towns", columns, []]]);
  });

  it("are one table each time that they are named, and never count as one row", async () => {
    const both = `WITH a AS (${grouped}) SELECT a.n FROM a JOIN towns s ON s.town = a.town JOIN towns t ON t.size = s.size`;
    expect(await read(both)).toHaveLength(2);
    await refusalOf(resolve(`WITH a AS (${grouped}) SELECT n, (SELECT size FROM towns) FROM a`));
  });

  it("do not stand in a workload, which reads no rows of them", async () => {
    const question = await resolve(`WITH a AS (${grouped}) SELECT a.n FROM a JOIN towns USING (town)`);
    const options = { epsilon: parseRational("1"), delta: parseRational("1e-7") };
    expect(() => planWorkload([question], policy, options, policyHash(policy))).toThrow("a public table");
  });
});

describe("what is refused", () => {
  test.each([
    [
      `WITH a AS (${grouped}) SELECT a.n FROM a JOIN people ON a.town = people.town`,
      "joined with answers and public tables alone",
    ],
    [
      `WITH a AS (${grouped}) SELECT a.n FROM a, towns, people`,
      "joined with answers and public tables alone",
    ],
    [`WITH a AS (${grouped}) SELECT n FROM a WHERE EXISTS (SELECT 1 FROM a)`, "EXISTS"],
    [`WITH a AS (${grouped}) SELECT n, (SELECT n FROM a) AS m FROM a`, "one column and one row"],
    [`WITH a AS (${grouped}) SELECT MD5(town) FROM a`, "MD5 is not answered over an answer"],
    [`WITH a AS (${grouped}) SELECT UPPER(n) FROM a`, "takes"],
    [`WITH a AS (${grouped}) SELECT LEFT(town, n) FROM a`, "LEFT takes constants behind its text"],
    [`WITH a AS (${grouped}) SELECT REPLACE(town, '', 'x') FROM a`, "REPLACE takes constants"],
    [`WITH a AS (${grouped}) SELECT SPLIT_PART(town, ' ', 0) FROM a`, "constants"],
    [`WITH a AS (${grouped}) SELECT EXTRACT(month FROM town) FROM a`, "EXTRACT is not answered"],
    [`WITH a AS (${grouped}) SELECT n FROM a WHERE town LIKE 'a\\'`, "this expression is not answered"],
    [`WITH a AS (${grouped}) SELECT n FROM a WHERE town LIKE town`, "this expression is not answered"],
    [`WITH a AS (${grouped}) SELECT nn FROM a`, 'no column "nn"'],
    [`WITH a AS (${grouped}) SELECT town, SUM(n) FROM a`, "neither grouped by nor inside an aggregate"],
    [`WITH a AS (${grouped}) SELECT town + 1 FROM a`, "+ takes a number here"],
    [`WITH a AS (${grouped}) SELECT n FROM a GROUP BY ROLLUP (n)`, "grouped by one list of columns"],
    [`WITH a AS (${grouped}) SELECT x.n FROM a x JOIN a x ON TRUE`, "twice"],
    [`WITH a AS (${grouped}) SELECT n FROM a x JOIN a y ON x.n = y.n`, "could be several columns"],
    [`WITH a AS (${grouped}) SELECT town FROM a UNION ALL SELECT n FROM a`, "of the same types"],
    [`WITH a AS (${grouped}) SELECT n FROM a INTERSECT ALL SELECT n FROM a`, "INTERSECT ALL and EXCEPT ALL"],
    [`WITH a AS (${grouped}) SELECT n FROM a UNION ALL VALUES (1, 2)`, "as many columns"],
    [`WITH a AS (${grouped}) SELECT n FROM a UNION ALL VALUES (1), ('x')`, "values of several types"],
    [`WITH a AS (${grouped}) SELECT n FROM a UNION ALL VALUES (1 + 1)`, "VALUES holds constants"],
    [
      Array.from({ length: 31 }, (_, at) => `SELECT COUNT(*) FROM people WHERE age > ${at / 10}`).join(
        " UNION ALL ",
      ),
      "more than 30 private questions",
    ],
    [
      `WITH a AS (${grouped}) SELECT SUM(n) OVER (ORDER BY n GROUPS 1 PRECEDING) FROM a`,
      "frames are stated in ROWS",
    ],
    [`WITH a AS (${grouped}) SELECT LAG(n, n) OVER (ORDER BY n) FROM a`, "a whole number, 0 or more"],
    [`WITH a AS (${grouped}) SELECT NTILE(0) OVER (ORDER BY n) FROM a`, "a whole number, 1 or more"],
    [`WITH a AS (${grouped}) SELECT SUM(n) OVER w FROM a`, "no window w"],
    [`WITH a AS (${grouped}) SELECT n FROM a WHERE n`, "WHERE takes a boolean"],
    [`WITH a AS (${grouped}) SELECT STRING_AGG(town, ',') FROM a`, "STRING_AGG"],
    [`WITH a AS (${grouped}) SELECT n FROM a LIMIT -1`, "LIMIT takes a whole number"],
    [`WITH a AS (${grouped}) SELECT n FROM a ORDER BY n FETCH FIRST 3 ROWS WITH TIES`, "WITH TIES"],
    [`WITH a AS (${grouped}) SELECT n INTO x FROM a`, "intoClause"],
    [`WITH a AS (${grouped}) SELECT n FROM a FOR UPDATE`, "lockingClause"],
    [`WITH a AS (${grouped}) SELECT n FROM a GROUP BY DISTINCT n`, "groupDistinct"],
    [`WITH a AS (${grouped}) SELECT n FROM a GROUP BY 9`, "GROUP BY takes a column's place"],
    [`WITH a AS (${grouped}) SELECT n FROM a HAVING n > 3`, "HAVING takes groups"],
    [
      "SELECT town, COUNT(*) AS n, age + SUM(COUNT(*)) OVER () AS z FROM people GROUP BY ALL",
      "neither grouped by",
    ],
  ])("%s", async (text, said) => {
    const { message, code, fix } = await refusalOf(resolve(text));
    expect(message).toContain(said);
    expect(code).toMatch(/^query\./);
    expect(fix).not.toBe("");
  });

  test.each([
    "SELECT age, AVG(age) OVER () FROM people",
    "SELECT id, COUNT(*) OVER (PARTITION BY town) FROM people",
    "WITH a AS (SELECT id, COUNT(*) AS n FROM people GROUP BY id) SELECT id, RANK() OVER (ORDER BY n) FROM a",
    "SELECT id FROM people QUALIFY ROW_NUMBER() OVER (ORDER BY age) = 1",
    "WITH a AS (SELECT id, age FROM people) SELECT id, LAG(age) OVER (ORDER BY id) FROM a",
    "SELECT town, (SELECT age FROM people) FROM people GROUP BY town",
    "SELECT town, COUNT(*), (SELECT p.age FROM people p LIMIT 1) FROM people GROUP BY town",
  ])("rows of single units are never shown: %s", async (text) => {
    await refusalOf(resolve(text));
  });

  it("a name of WITH that hides another is not read as the other", async () => {
    await refusalOf(
      resolve(
        "WITH a AS (SELECT town FROM people WHERE age < 5), b AS (SELECT town FROM a) SELECT n FROM (WITH a AS (SELECT town FROM people WHERE age > 2) SELECT n FROM (SELECT town, COUNT(*) AS n FROM b GROUP BY town) z WHERE n > 1) y",
      ),
    );
  });
});
