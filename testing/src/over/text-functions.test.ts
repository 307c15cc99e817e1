import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { PostExpression, PostOperator } from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "../../../packages/gateway/src/post/evaluate.ts";
import { hidden, seenValue } from "../../../packages/verify/src/derive/released-value.ts";
import { asked, makeTable, withoutNoise, written } from "./whole-table.ts";

/*
 * Functions of texts and times over released values: in whole questions they mean what DuckDB means, and the code that shows them agrees with the code that verifies.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await makeTable(connection);
});
afterAll(() => connection.closeSync());

const c = "WITH c AS (SELECT d, COUNT(*) AS n FROM t GROUP BY d)";
const e = "WITH e AS (SELECT m, g, COUNT(*) AS n FROM t GROUP BY m, g)";
const k =
  "WITH k AS (SELECT CASE WHEN m < 4 THEN 'early Spring' WHEN m < 9 THEN ' late Summer ' ELSE 'b_c' END AS s, COUNT(*) AS n FROM t GROUP BY 1)";

describe("without noise, a question with such functions returns what DuckDB returns", () => {
  it.each([
    "SELECT upper(g) AS u, COUNT(*) AS n FROM t GROUP BY g ORDER BY u",
    "SELECT g || '-' || m AS name, COUNT(*) AS n FROM t GROUP BY g, m ORDER BY name, n",
    "SELECT EXTRACT(month FROM d) AS mon, EXTRACT(week FROM d) AS w, d, COUNT(*) AS n FROM t GROUP BY d ORDER BY d",
    `${c} SELECT date_trunc('month', d) AS mon, SUM(n) AS n FROM c GROUP BY 1 ORDER BY 1`,
    `${c} SELECT EXTRACT(isodow FROM d) AS day, EXTRACT(doy FROM d) AS y, EXTRACT(quarter FROM d) AS q, SUM(n) AS n FROM c GROUP BY 1, 2, 3 ORDER BY 2`,
    `${e} SELECT g, SUM(n) AS n FROM e WHERE g LIKE 'a%' OR upper(g) = 'B' GROUP BY g ORDER BY g`,
    `${c} SELECT date_trunc('week', d) AS w, SUM(n) AS n FROM c WHERE CAST(d AS text) NOT LIKE '%-01-__' GROUP BY ALL ORDER BY w`,
    `${e} SELECT COALESCE(UPPER(g), 'none') AS u, SUM(n) AS n FROM e GROUP BY 1 ORDER BY 1`,
    `${e} SELECT CAST(m AS text) || '/' || g AS name, n FROM e WHERE m > 3 ORDER BY n, name`,
    `${c} SELECT 'day ' || CAST(d AS text) AS name, n FROM c ORDER BY name`,
    `${k} SELECT trim(s) AS t, length(s) AS l, left(s, 3) AS a, right(s, 2) AS b, substr(s, 2, 4) AS c, substring(s, 3) AS e, n FROM k ORDER BY n`,
    `${k} SELECT replace(s, 'e', '33') AS r, replace(s, 'r', '') AS q, split_part(s, ' ', 2) AS p, strpos(s, 'r') AS at, ltrim(s) || rtrim(s) AS lr, n FROM k ORDER BY n`,
    `${k} SELECT n, s LIKE '%S%' AS has, s LIKE 'b_c' AS is_bc, s NOT ILIKE '%SPRING' AS other FROM k ORDER BY n`,
    `${k} SELECT concat(lower(s), '!', CAST(n > 100 AS text)) AS words, n FROM k ORDER BY n`,
  ])("%s", async (text) => {
    const { rows } = await withoutNoise(text, connection);
    const theirs = written(text, await asked(text, connection));
    expect(theirs.length).toBeGreaterThan(0);
    expect(written(text, rows)).toEqual(theirs);
  });

  it("writes a number as its shortest decimal, whatever its size", async () => {
    const text = "SELECT ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) || '%' AS pct FROM t GROUP BY g";
    const { rows } = await withoutNoise(text, connection);
    for (const [cell] of rows) expect(cell).toMatch(/^\d+(\.\d{1,2})?%$/);
  });
});

const words = fc.string({
  unit: fc.constantFrom("a", "B", " ", "é", "ß", "_", "%", "\\", "ab", "1", "-", "𝒜", "İ"),
  maxLength: 9,
});
const count = fc.integer({ min: 0, max: 5 });
const place = fc.integer({ min: 1, max: 5 });
const part = words.filter((word) => word !== "");
const date = fc
  .integer({ min: -700_000, max: 2_900_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  .filter((text) => /^\d{4}-/.test(text) && text >= "0001-01-01");
// The microseconds of timestamps are exact doubles within some 250 years of 1970.
const recent = fc
  .integer({ min: -98_000, max: 100_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const time = fc.oneof(
  date,
  fc
    .tuple(recent, fc.integer({ min: 0, max: 86_399 }), fc.constantFrom("", ".250000"))
    .map(([day, second, rest]) => `${day} ${new Date(second * 1000).toISOString().slice(11, 19)}${rest}`),
);
const units = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
const fields = ["year", "quarter", "month", "week", "day", "dow", "isodow", "doy", "hour", "minute"] as const;

const cases: Readonly<Partial<Record<PostOperator, fc.Arbitrary<readonly unknown[]>>>> = {
  lower: fc.tuple(words),
  upper: fc.tuple(words),
  initcap: fc.tuple(words),
  trim: fc.tuple(words),
  ltrim: fc.tuple(words),
  rtrim: fc.tuple(words),
  length: fc.tuple(words),
  left: fc.tuple(words, count),
  right: fc.tuple(words, count),
  substr: fc.tuple(words, place, count),
  replace: fc.tuple(words, part, words),
  strpos: fc.tuple(words, part),
  split_part: fc.tuple(words, part, place),
  concat: fc.array(words, { minLength: 1, maxLength: 4 }),
  like: fc.tuple(
    words,
    words.filter((pattern) => !/(?<!\\)(\\\\)*\\$/.test(pattern)),
  ),
  "to-text": fc.tuple(
    fc.oneof(
      words,
      fc.boolean(),
      fc.integer(),
      fc.integer().map((cents) => cents / 100),
    ),
  ),
  "date-trunc": fc.tuple(fc.constantFrom(...units), time),
  extract: fc.tuple(fc.constantFrom(...fields), time),
};

describe("the two codes that evaluate a function of texts or times", () => {
  it.each(Object.entries(cases))(
    "agree on %s, NULL and what is no text among the arguments",
    (name, given) => {
      const row = {
        keys: new Map(),
        away: new Set<string>(),
        others: new Set<string>(),
        aggregates: new Map(),
      };
      const none = (): never => {
        throw new Error("the expression reads no column");
      };
      fc.assert(
        fc.property(given, fc.option(fc.nat(3), { freq: 4 }), (values, missing) => {
          const args = values.map(
            (value, at): PostExpression => ({
              kind: "literal",
              value: at === missing ? null : (value as string | number | boolean),
            }),
          );
          const call: PostExpression = { kind: "call", operator: name as PostOperator, args };
          const shown = evaluate(call, row);
          expect(seenValue(call, { key: none, aggregate: none })).toEqual(shown);
          if (missing === null) expect(shown).not.toBeNull();
        }),
        { numRuns: 400 },
      );
    },
  );

  it("do not verify a text whose number rounding may have decided", () => {
    const third: PostExpression = {
      kind: "call",
      operator: "/",
      args: [
        { kind: "literal", value: 1 },
        { kind: "literal", value: 3 },
      ],
    };
    const text: PostExpression = { kind: "call", operator: "to-text", args: [third] };
    const none = () => null;
    expect(seenValue(text, { key: none, aggregate: none })).toBe(hidden);
  });
});
