import type { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { GroupedRelation } from "../../relations/relation.ts";
import { writeFrom } from "../../relations/write-from.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { resolveQuestion } from "../question/resolve-question.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, town: { type: text, categories: [a, b] } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, columns: {
    person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, wild: { type: number }, ward: { type: text },
    code: { type: integer }, dear: { type: boolean }, day: { type: date } } }
`);

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);
const grouped = (list: string, rest = "GROUP BY person_id"): string =>
  `(SELECT ${list} FROM visits ${rest}) t`;

const refusal = (text: string): Promise<LetheError> => refusalOf(resolve(text));

describe("a subquery grouped by the unit", () => {
  test.each([
    ["person_id, COUNT(*) AS n", "GROUP BY person_id"],
    ["person_id AS who, COUNT(*) AS n", "GROUP BY who"],
    ["t.person_id, COUNT(*) AS n", "AS t GROUP BY 1"],
    ["COUNT(*) AS n", "GROUP BY person_id"],
  ])("%s %s: one row a unit", async (list, rest) => {
    const { from } = await resolve(`SELECT COUNT(*) FROM ${grouped(list, rest)} WHERE n > 3`);
    const { keys, values, columns } = from as GroupedRelation;
    expect(keys).toEqual({});
    expect(values).toEqual({ n: { kind: "count", argument: null } });
    expect(columns).toEqual({
      n: { type: "integer", nullable: false, bounds: [1, 2 ** 53], categories: null, default: null },
    });
  });

  test("has by GROUP BY ALL the keys that its list has", async () => {
    const plain = "person_id, upper(ward) AS w, SUM(cost) AS total";
    const of = async (rest: string): Promise<unknown> =>
      (await resolve(`SELECT w, COUNT(*) FROM ${grouped(plain, rest)} GROUP BY ALL`)).from;
    expect(await of("GROUP BY ALL")).toEqual(await of("GROUP BY person_id, upper(ward)"));
  });

  test("computes what is named twice once, and shows what is made of it", async () => {
    const { from, aggregates } = await resolve(
      `SELECT SUM(mean, contribution_bounds_per_row => (0, 9)) FROM ${grouped(
        "person_id, upper(ward) AS w, SUM(cost) / COUNT(*) AS mean",
        "GROUP BY upper(ward), person_id HAVING SUM(visits.cost) > 3 AND UPPER(visits.ward) <> 'X'",
      )}`,
    );
    if (from.kind !== "filter") throw new Error("a HAVING was asked");
    const { keys, values } = from.of as GroupedRelation;
    expect(Object.keys(keys)).toEqual(["w"]);
    expect(Object.keys(values)).toEqual(["sum", "count"]);
    expect(writeSql(from.where)).toBe("(t.sum > 3) AND (t.w <> 'X')");
    expect(writeFrom(from.of)).toBe(
      "(SELECT unit, UPPER(visits.ward) AS w, SUM(visits.cost) AS sum, COUNT(*) AS count FROM visits GROUP BY unit, UPPER(visits.ward)) AS t",
    );
    expect(aggregates).toHaveLength(1);
  });

  test.each([
    ["COUNT(wild)", { type: "integer", bounds: [0, 2 ** 53], nullable: false }],
    ["COUNT(DISTINCT dear)", { type: "integer", bounds: [0, 2], nullable: false }],
    ["COUNT_IF(dear)", { type: "integer", bounds: [0, 2 ** 53], nullable: false }],
    ["SUM(code)", { type: "integer", bounds: [-(2 ** 53), 2 ** 53], nullable: true }],
    ["SUM(cost)", { type: "number", bounds: null, nullable: true }],
    ["SUM(wild, contribution_bounds_per_group => (-1, 4))", { type: "number", bounds: [-1, 4] }],
    ["SUM(code, contribution_bounds_per_group => (-1, 4))", { type: "integer", bounds: [-1, 4] }],
    ["AVG(cost) FILTER (WHERE dear)", { type: "number", bounds: [0, 9], nullable: true }],
    ["MIN(wild)", { type: "number", bounds: null }],
    ["MAX(ward)", { type: "text", categories: null }],
    ["MAX(day)", { type: "date" }],
    ["COUNT(1)", { type: "integer", bounds: [1, 2 ** 53], nullable: false }],
    ["COUNT(*) FILTER (WHERE dear)", { type: "integer", bounds: [0, 2 ** 53], nullable: false }],
    ["COUNT(DISTINCT COALESCE(dear, TRUE))", { type: "integer", bounds: [1, 2], nullable: false }],
    ["COUNT(DISTINCT ward)", { type: "integer", bounds: [0, 2 ** 53], nullable: false }],
    ["COUNT(DISTINCT 5)", { type: "integer", bounds: [1, 1], nullable: false }],
    ["APPROX_COUNT_DISTINCT(dear)", { type: "integer", bounds: [0, 2] }],
    [
      "SUM(EXTRACT(month FROM COALESCE(day, DATE '2020-02-03')))",
      { type: "integer", bounds: [1, 2 ** 53], nullable: false },
    ],
    [
      "SUM(- EXTRACT(month FROM COALESCE(day, DATE '2020-02-03')))",
      { type: "integer", bounds: [-(2 ** 53), -1], nullable: false },
    ],
    [
      "SUM(- EXTRACT(dow FROM COALESCE(day, DATE '2020-02-03')))",
      { type: "integer", bounds: [-(2 ** 53), 0], nullable: false },
    ],
    ["SUM(code, contribution_bounds_per_group => (-1, 4.5))", { type: "number", bounds: [-1, 4.5] }],
    ["SUM(code, contribution_bounds_per_group => (-1.5, 4))", { type: "number", bounds: [-1.5, 4] }],
    ["SUM(cost, contribution_bounds_per_group => (0, 4))", { type: "number", bounds: [0, 4] }],
    ["AVG(wild, contribution_bounds_per_row => (-2, 4))", { type: "number", bounds: [-2, 4] }],
    ["AVG(COALESCE(cost, 0))", { type: "number", bounds: [0, 9], nullable: false }],
    ["MIN(DISTINCT code)", { type: "integer", bounds: null, nullable: true }],
    ["MAX(cost) FILTER (WHERE dear)", { type: "number", bounds: [0, 9], nullable: true }],
  ])("%s makes a column of its own", async (value, column) => {
    const { from } = await resolve(`SELECT COUNT(v) FROM ${grouped(`person_id, ${value} AS v`)}`);
    expect((from as GroupedRelation).columns.v).toMatchObject(column);
  });

  test.each([
    [
      "SELECT COUNT(*) FROM (SELECT ward FROM visits GROUP BY ward) t",
      "of several units",
      "GROUP BY person_id",
    ],
    [`SELECT COUNT(*) FROM ${grouped("person_id, cost")}`, "neither grouped by", "MIN(cost)"],
    [
      `SELECT COUNT(*) FROM ${grouped("person_id, person_id + 1 AS x")}`,
      "names the privacy unit",
      "COUNT(DISTINCT",
    ],
    [
      `SELECT COUNT(*) FROM ${grouped("person_id, COUNT(DISTINCT person_id)")}`,
      "is 1 in each row",
      "COUNT(*)",
    ],
    [`SELECT COUNT(*) FROM ${grouped("person_id, VARIANCE(cost)")}`, "not computed within", "one of those"],
    [`SELECT COUNT(*) FROM ${grouped("person_id, MAX(dear)")}`, "takes no boolean", "COUNT_IF"],
    [`SELECT COUNT(*) FROM ${grouped("person_id, SUM(wild)")}`, "needs bounds", "per_row"],
    [`SELECT COUNT(*) FROM ${grouped("person_id, SUM(DISTINCT cost)")}`, "distinct values", "remove"],
    [
      `SELECT COUNT(*) FROM ${grouped("person_id, SUM(COUNT(*)) AS x")}`,
      "cannot stand inside",
      "each by itself",
    ],
    [`SELECT COUNT(*) FROM ${grouped("person_id, 3 AS x")}`, "a constant", "remove"],
    [
      `SELECT COUNT(*) FROM ${grouped("DISTINCT ON (ward) person_id, ward", "")}`,
      "DISTINCT ON would keep the first of rows of several units",
      "write DISTINCT ON (person_id, …)",
    ],
    [
      `SELECT COUNT(*) FROM ${grouped("person_id", "GROUP BY person_id, COUNT(*)")}`,
      "cannot group by an aggregate",
      "HAVING",
    ],
    [
      `SELECT COUNT(*) FROM ${grouped("person_id", "GROUP BY person_id LIMIT 3")}`,
      "nothing else",
      "limit outside",
    ],
  ])("%s is refused", async (text, message, fix) => {
    const refused = await refusal(text);
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
  });

  test.each([
    ["COUNT(wild, ward)", "COUNT takes one argument", "COUNT(*)"],
    ["COUNT_IF(*)", "COUNT_IF takes one argument", "COUNT(*)"],
    ["APPROX_COUNT_DISTINCT(*)", "takes one argument", "COUNT(*)"],
    ["SUM(*)", "SUM takes one argument", "SUM(x)"],
    ["AVG(cost, cost)", "AVG takes one argument", "AVG(x)"],
    ["AVG(DISTINCT cost)", "distinct values", "remove DISTINCT"],
    ["SUM(ward)", "ward is a text", "CAST"],
    ["MAX(NULLIF(1, 1))", "always NULL", "has values"],
    ["MEDIAN(cost)", "not computed within", "ask for one of those"],
    ["COUNT(cost, contribution_bounds_per_row => (0, 1))", "COUNT takes bounds per group", "per_group"],
    ["SUM(cost) WITHIN GROUP (ORDER BY cost)", "WITHIN GROUP", "AVG"],
  ])("the value %s is refused", async (value, message, fix) => {
    const refused = await refusal(`SELECT COUNT(*) FROM ${grouped(`person_id, ${value} AS v`)}`);
    expect(refused.message).toContain(message);
    expect(refused.fix).toContain(fix);
  });

  test.each([
    ["person_id, ward AS w", "GROUP BY 1, 2", ["w"]],
    ["person_id, ward AS w", "GROUP BY person_id, w", ["w"]],
    ["DISTINCT person_id, ward, code + 1 AS next", "", ["ward", "next"]],
    ["person_id", "GROUP BY person_id, upper(ward), UPPER(visits.ward)", ["key"]],
    ["person_id", "GROUP BY visits.person_id, ward", ["ward"]],
  ])("the keys of %s %s", async (list, rest, keys) => {
    const { from } = await resolve(`SELECT COUNT(*) FROM ${grouped(list, rest)}`);
    expect(Object.keys((from as GroupedRelation).keys)).toEqual(keys);
  });

  test("a column goes before an alias of its name, and a place is the item itself", async () => {
    const { from } = await resolve(
      `SELECT COUNT(*) FROM ${grouped("person_id, cost AS ward", "GROUP BY person_id, ward, 2")}`,
    );
    expect(Object.values((from as GroupedRelation).keys).map(writeSql)).toEqual([
      "visits.ward",
      "visits.cost",
    ]);
  });

  test("HAVING names items of the list, a column of the table first", async () => {
    const { from } = await resolve(
      `SELECT COUNT(*) FROM ${grouped("person_id, MAX(cost) AS dearest, MIN(code) AS code", "GROUP BY person_id HAVING dearest > 3 AND COUNT(*) > 1")}`,
    );
    if (from.kind !== "filter") throw new Error("a HAVING was asked");
    expect(writeSql(from.where)).toBe("(t.dearest > 3) AND (t.count > 1)");
    expect(
      (
        await refusal(
          `SELECT COUNT(*) FROM ${grouped("person_id, MIN(code) AS code", "GROUP BY person_id HAVING code > 1")}`,
        )
      ).message,
    ).toContain("neither grouped by");
    const impossible = await refusal(
      `SELECT COUNT(*) FROM ${grouped("person_id, MAX(cost) AS m", "GROUP BY person_id HAVING MAX(cost) > 9")}`,
    );
    expect(impossible.code).toBe("query.impossible");
    expect(
      (await refusal(`SELECT COUNT(*) FROM ${grouped("person_id", "GROUP BY person_id HAVING COUNT(*)")}`))
        .code,
    ).toBe("query.type");
  });

  test.each([
    ["GROUP BY GROUPING SETS ((person_id), (ward))", "grouped in one way"],
    ["GROUP BY person_id, 5", "GROUP BY takes"],
  ])("%s is refused", async (rest, message) => {
    expect((await refusal(`SELECT COUNT(*) FROM ${grouped("person_id", rest)}`)).message).toContain(message);
  });

  test("an outer join may leave the unit's name out, and then it groups nothing", async () => {
    const text =
      "SELECT COUNT(*) FROM (SELECT v.person_id, COUNT(*) FROM people LEFT JOIN visits v ON v.person_id = id GROUP BY v.person_id) t";
    expect((await refusal(text)).message).toContain("names the privacy unit");
  });
});
