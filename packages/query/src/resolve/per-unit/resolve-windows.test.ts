import type { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { WindowedRelation } from "../../relations/relation.ts";
import { writeWindow } from "../../relations/write-from.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  visits: { file: a.duckdb, unit: person_id, columns: {
    person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, ward: { type: text }, age: { type: integer, bounds: [0, 9], default: 1 } } }
  codes: { file: a.duckdb, public: true, columns: { code: { type: text } } }
  guests: { file: a.duckdb, unit: row, columns: { fee: { type: number, bounds: [0, 3] } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);
const over = (value: string, window = "PARTITION BY person_id ORDER BY cost"): string =>
  `SELECT COUNT(v) FROM (SELECT person_id, ${value} OVER (${window}) AS v FROM visits) t`;

const refusal = (text: string): Promise<LetheError> => refusalOf(resolve(text));

describe("windows over rows of a unit", () => {
  test.each([
    [
      "ROW_NUMBER()",
      "ROW_NUMBER() OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
      { type: "integer", bounds: [1, 2 ** 53], nullable: false },
    ],
    [
      "LAG(age)",
      "LAG(visits.age, 1) OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
      { type: "integer", bounds: [0, 9], nullable: true },
    ],
    [
      "FIRST_VALUE(age)",
      "FIRST_VALUE(visits.age) OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
      { nullable: false },
    ],
    [
      "COUNT(*)",
      "COUNT(*) OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
      { bounds: [1, 2 ** 53] },
    ],
    [
      "AVG(age)",
      "AVG(visits.age) OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
      { type: "number", bounds: [0, 9], nullable: false },
    ],
  ])("%s", async (value, written, column) => {
    const { from } = await resolve(over(value));
    const { values, columns } = from as WindowedRelation;
    expect(writeWindow(values.v!)).toBe(written);
    expect(columns.v).toMatchObject(column);
  });

  test("frames may be empty, and then there is nothing to add up", async () => {
    const window = "PARTITION BY ward, person_id ORDER BY cost DESC ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING";
    const counted = (await resolve(over("COUNT(*)", window))).from as WindowedRelation;
    expect(counted.columns.v).toMatchObject({ bounds: [0, 2 ** 53] });
    expect(counted.values.v).toMatchObject({ frame: { from: -3, to: -1 }, partition: [{ name: "ward" }] });
    const averaged = (await resolve(over("AVG(age)", window))).from as WindowedRelation;
    expect(averaged.columns.v).toMatchObject({ nullable: true });
    expect(writeWindow(averaged.values.v!)).toContain(
      "DESC NULLS FIRST ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
    );
  });

  test.each<[string, string, { readonly from: number | null; readonly to: number | null } | null]>([
    ["ROWS UNBOUNDED PRECEDING", "UNBOUNDED PRECEDING AND CURRENT ROW", { from: null, to: 0 }],
    ["ROWS 1000 PRECEDING", "1000 PRECEDING AND CURRENT ROW", { from: -1000, to: 0 }],
    ["ROWS CURRENT ROW", "CURRENT ROW AND CURRENT ROW", { from: 0, to: 0 }],
    ["ROWS BETWEEN CURRENT ROW AND 1000 FOLLOWING", "CURRENT ROW AND 1000 FOLLOWING", { from: 0, to: 1000 }],
    ["ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING", "1 FOLLOWING AND 1 FOLLOWING", { from: 1, to: 1 }],
    ["ROWS BETWEEN 2 PRECEDING AND 2 PRECEDING", "2 PRECEDING AND 2 PRECEDING", { from: -2, to: -2 }],
    [
      "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
      "UNBOUNDED PRECEDING AND 1 PRECEDING",
      { from: null, to: -1 },
    ],
    [
      "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
      "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
      { from: null, to: null },
    ],
  ])("the frame %s", async (stated, written, frame) => {
    const { from } = await resolve(over("COUNT(*)", `PARTITION BY person_id ORDER BY cost ${stated}`));
    const { values, columns } = from as WindowedRelation;
    expect(values.v!.frame).toEqual(frame);
    expect(writeWindow(values.v!)).toContain(`ROWS BETWEEN ${written})`);
    // It may hold no row where it begins behind this one, or ends before it.
    const mayBeEmpty = (frame?.from ?? 0) > 0 || (frame?.to ?? 0) < 0;
    expect(columns.v).toMatchObject({ bounds: [mayBeEmpty ? 0 : 1, 2 ** 53], nullable: false });
  });

  test("places of rows hang on no frame, and the first and the last row of one do", async () => {
    const frame = "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING";
    const made = async (value: string): Promise<unknown> => {
      const { from } = await resolve(over(value, `PARTITION BY person_id ORDER BY cost ${frame}`));
      const { values, columns } = from as WindowedRelation;
      return [values.v!.frame, columns.v!.nullable];
    };
    for (const value of ["ROW_NUMBER()", "RANK()", "DENSE_RANK()"])
      expect(await made(value)).toEqual([null, false]);
    for (const value of ["LAG(age)", "LEAD(age, 0)"]) expect(await made(value)).toEqual([null, true]);
    for (const value of ["FIRST_VALUE(age)", "LAST_VALUE(age)", "SUM(age)", "MIN(age)"])
      expect(await made(value)).toEqual([{ from: -3, to: -1 }, true]);
  });

  test.each([
    ["ORDER BY cost", "visits.cost NULLS LAST"],
    ["ORDER BY cost DESC", "visits.cost DESC NULLS FIRST"],
    ["ORDER BY cost NULLS FIRST", "visits.cost NULLS FIRST"],
    ["ORDER BY cost DESC NULLS LAST, age ASC", "visits.cost DESC NULLS LAST, visits.age NULLS LAST"],
  ])("the order %s", async (order, written) => {
    const { from } = await resolve(over("RANK()", `PARTITION BY person_id ${order}`));
    expect(writeWindow((from as WindowedRelation).values.v!)).toContain(`ORDER BY ${written})`);
  });

  test.each([
    ["LAG(age, 1000)", "LAG(visits.age, 1000)"],
    ["LEAD(age, 0)", "LEAD(visits.age, 0)"],
    ["DENSE_RANK()", "DENSE_RANK()"],
    ["MAX(ward)", "MAX(visits.ward)"],
  ])("%s is written as it is read", async (value, written) => {
    const { from } = await resolve(over(value));
    expect(writeWindow((from as WindowedRelation).values.v!)).toContain(`${written} OVER (`);
  });

  test("aggregates of all rows need no order, and what differs is made apart", async () => {
    const { from } = await resolve(
      `SELECT COUNT(a + b + c) FROM (SELECT SUM(age) OVER (PARTITION BY person_id) AS a, SUM(age) OVER (PARTITION BY person_id, ward) AS b,
       SUM(age) OVER (PARTITION BY person_id ORDER BY cost) AS c FROM visits) t`,
    );
    expect(Object.values((from as WindowedRelation).values).map(writeWindow)).toEqual([
      "SUM(visits.age) OVER (PARTITION BY unit)",
      "SUM(visits.age) OVER (PARTITION BY unit, visits.ward)",
      "SUM(visits.age) OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST)",
    ]);
  });

  test("are made once, named or written out, and stand in expressions", async () => {
    const { from } = await resolve(
      "SELECT COUNT(v) FROM (SELECT age - LAG(age) OVER w AS v, LAG(age) OVER (PARTITION BY person_id ORDER BY cost) + 1 AS u FROM visits WINDOW w AS (PARTITION BY person_id ORDER BY cost)) t WHERE u > 2",
    );
    expect(Object.keys((from as WindowedRelation).values)).toHaveLength(1);
  });

  test.each([
    [over("ROW_NUMBER()", "ORDER BY cost"), "rows of several units", "PARTITION BY person_id"],
    [over("SUM(cost)", "PARTITION BY ward"), "rows of several units", "PARTITION BY person_id"],
    [over("ROW_NUMBER()", "PARTITION BY person_id"), "none is stated", "ORDER BY x"],
    [over("SUM(cost)", "PARTITION BY person_id ROWS 3 PRECEDING"), "none is stated", "ORDER BY x"],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost RANGE 3 PRECEDING"),
      "stated in ROWS",
      "ROWS BETWEEN",
    ],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost ROWS 1001 PRECEDING"),
      "at most 1000",
      "1000 PRECEDING",
    ],
    [
      over(
        "MIN(cost)",
        "PARTITION BY person_id ORDER BY cost ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
      ),
      "must begin with the first",
      "DESC",
    ],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING"),
      "",
      "",
    ],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost ROWS BETWEEN 1 PRECEDING AND 2 PRECEDING"),
      "ends before",
      "earlier",
    ],
    [
      over(
        "SUM(cost)",
        "PARTITION BY person_id ORDER BY cost ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES",
      ),
      "without EXCLUDE",
      "ROWS",
    ],
    [over("LAG(cost, 1, 0)"), "takes a value", "COALESCE"],
    [over("LAG()"), "takes a value", "COALESCE(LAG(x, 1)"],
    [over("LAG(cost, 1001)"), "at most 1000", "LAG(x, 1)"],
    [over("LEAD(cost, -1)"), "at most 1000", "LEAD(x, 1)"],
    [over("LEAD(cost, 1.5)"), "at most 1000", "LEAD(x, 1)"],
    [over("LEAD(cost, age)"), "at most 1000", "LEAD(x, 1)"],
    [over("ROW_NUMBER(cost)"), "takes no argument", "ROW_NUMBER() OVER"],
    [over("RANK(*)"), "takes no argument", "RANK() OVER"],
    [over("FIRST_VALUE(cost, 1)"), "takes one argument", "FIRST_VALUE(x) OVER"],
    [over("LAG(cost) FILTER (WHERE age > 1)"), "takes a value", "COALESCE"],
    [over("FIRST_VALUE(DISTINCT cost)"), "takes one argument", "FIRST_VALUE(x) OVER"],
    [over("FIRST_VALUE(cost ORDER BY age)"), "takes one argument", "FIRST_VALUE(x) OVER"],
    [over("FIRST_VALUE(cost)", "PARTITION BY person_id"), "none is stated", "ORDER BY x"],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost ROWS BETWEEN 3 PRECEDING AND 1.5 PRECEDING"),
      "at most 1000",
      "1000 PRECEDING",
    ],
    [
      over(
        "SUM(cost)",
        "PARTITION BY person_id ORDER BY cost ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING",
      ),
      "must begin with the first",
      "DESC",
    ],
    [
      over("SUM(cost)", "PARTITION BY person_id ORDER BY cost GROUPS 3 PRECEDING"),
      "stated in ROWS",
      "ROWS BETWEEN",
    ],
    [over("SUM(cost)", "PARTITION BY person_id ORDER BY cost USING <"), "USING", "ASC or DESC"],
    [
      "SELECT COUNT(n) FROM (SELECT SUM(age) OVER (w ORDER BY cost) AS n FROM visits WINDOW w AS (PARTITION BY person_id)) t",
      "adds to another",
      "write it out",
    ],
    ["SELECT COUNT(*) FROM (SELECT COUNT(*) OVER () AS n FROM codes) t", "the table is public", "GROUP BY"],
    [over("LAG(cost, 2000)"), "at most 1000", "LAG(x, 1)"],
    [over("LAST_VALUE(cost)"), "the row itself", "UNBOUNDED FOLLOWING"],
    [over("NTILE(4)"), "not answered as a window", "ROW_NUMBER"],
    [over("MEDIAN(cost)"), "not computed within", "one of those"],
    [over("COUNT(DISTINCT ward)"), "counts distinct", "another subquery"],
    [over("LAG(person_id)"), "names the privacy unit", "COUNT(DISTINCT"],
    [
      "SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY fee) AS n FROM guests) t",
      "rows of several units",
      "GROUP BY",
    ],
    ["SELECT COUNT(*) FROM (SELECT SUM(1) OVER missing AS n FROM visits) t", "no window", "PARTITION BY"],
    [
      "SELECT ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost) FROM visits",
      "in subqueries alone",
      "FROM (SELECT",
    ],
  ])("%s is refused", async (text, message, fix) => {
    const refused = await refusal(text);
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
  });
});
