import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { dialects, duckdb, printQuery } from "../../dialects/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { select, table } from "../../sql/query.ts";
import { groupOrder } from "../physical/group-order.ts";
import { type GroupNumber, groupNumber } from "./group-number.ts";
import type { QuestionRows } from "./question-rows.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 2, columns: { id: { type: text },
    zero: { type: integer, categories: [2, 0, 1], default: 0 }, five: { type: integer, categories: [5, 6, 7, 8], default: 5 }, low: { type: integer, categories: [-2, -1], default: -1 },
    gap: { type: integer, categories: [0, 1, 3], default: 0 }, open: { type: integer, categories: [4, 5, 6] }, g: { type: text, categories: [a, b], default: a },
    sure: { type: boolean, default: false }, maybe: { type: boolean }, town: { type: text }, wild: { type: number }, code: { type: integer } } }
`);

/** The numbers of groups by these keys, which stand as A, B … in rows of their own. */
async function numbered(
  keys: string,
  dialect = duckdb,
  where = "",
): Promise<Omit<GroupNumber, "joins"> & { readonly joins: string }> {
  const text = `SELECT ${keys}, COUNT(*) FROM t ${where} GROUP BY ${keys}`;
  const plan = planQuestion(
    resolveQuestion(await parseQuestion(text), policy),
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6") },
    "hash",
  );
  const names = plan.keys.parts.map((_, at) => "ABCD"[at]!);
  const rows = { relation: table("rows"), conditions: [], keys: names } as unknown as QuestionRows;
  const { joins, ...group } = groupNumber(plan, rows, groupOrder(plan), dialect);
  const all = select([], table("rows"));
  const [start, whole] = [all, { ...all, joins }].map((query) => printQuery(query, dialect.words));
  return { ...group, joins: whole!.slice(start!.length) };
}
const likely = (condition: string): readonly string[] => [duckdb.likely(condition)];

describe("the number of a listed group", () => {
  it("is the key itself, less the first, where keys are one run of integers", async () => {
    expect(await numbered("zero")).toEqual({
      number: "A",
      joins: "",
      conditions: [],
    });
    expect(await numbered("five")).toEqual({
      number: "(A - (5))",
      joins: "",
      conditions: [],
    });
    expect(await numbered("low")).toEqual({
      number: "(A - (-2))",
      joins: "",
      conditions: [],
    });
  });

  it("is behind all others where it is NULL", async () => {
    expect(await numbered("open")).toEqual({
      number: "CASE WHEN A IS NULL THEN 3 ELSE (A - (4)) END",
      joins: "",
      conditions: [],
    });
  });

  it("asks the key of rows where a WHERE, or what is computed, leaves others than are declared", async () => {
    const where = async (keys: string, condition: string): Promise<readonly string[]> =>
      (await numbered(keys, duckdb, `WHERE ${condition}`)).conditions;
    expect(await where("zero", "zero < 2")).toEqual(likely("A BETWEEN 0 AND 1"));
    expect(await where("zero", "five > 6")).toEqual([]);
    expect(await where("open", "open IN (4, 5)")).toEqual(likely("A BETWEEN 4 AND 5"));
    expect(await where("open", "open IS NOT NULL")).toEqual(likely("A BETWEEN 4 AND 6"));
    expect((await numbered("LEAST(zero, 1)")).conditions).not.toEqual([]);
  });

  it.each([
    ["gap", "(0, 0), (1, 1), (3, 2)", "A = declared.k0"],
    ["g", "('a', 0), ('b', 1)", "A = declared.k0"],
    ["sure", "(FALSE, 0), (TRUE, 1)", "A = declared.k0"],
    [
      "low, g",
      "(-2, 'a', 0), (-2, 'b', 1), (-1, 'a', 2), (-1, 'b', 3)",
      "A = declared.k0 AND B = declared.k1",
    ],
  ])("is its place in a list where keys are not: %s", async (keys, list, same) => {
    const { number, joins, conditions } = await numbered(keys);
    const names = keys.includes(",") ? "k0, k1, x" : "k0, x";
    expect(number).toBe("declared.x");
    expect(conditions).toEqual([]);
    expect(joins).toBe(` JOIN (VALUES ${list}) AS declared(${names}) ON ${same}`);
  });

  it("is in a list also where it may be NULL, which has a type", async () => {
    const { joins } = await numbered("maybe");
    expect(joins).toContain(`(CAST(NULL AS ${duckdb.types.boolean}), 2)`);
    expect(joins).toContain(
      "coalesce(A, FALSE) = coalesce(declared.k0, FALSE) AND (A IS NULL) = (declared.k0 IS NULL)",
    );
    const { joins: both } = await numbered("open, maybe");
    expect(both).toContain(
      `(CAST(NULL AS ${duckdb.types.integer}), CAST(NULL AS ${duckdb.types.boolean}), 11)`,
    );
  });
});

describe.each(Object.entries(dialects))("the number of a group whose keys are data, in %s", (_, dialect) => {
  const { types } = dialect;
  const many = 2_147_483_579;
  const number = (key: string, value: string): string =>
    `CASE WHEN ${key} IS NULL THEN ${many - 1} ELSE CAST(${value} AS ${types.integer}) END`;
  const ofInteger = (key: string): string =>
    number(key, `(CAST(${key} AS ${types.integer}) % ${many} + ${many}) % ${many}`);

  it("is made of integers and booleans by arithmetic alone", async () => {
    expect(await numbered("code", dialect)).toEqual({ number: ofInteger("A"), joins: "", conditions: [] });
    const boolean = number("B", "CASE WHEN B THEN 1 ELSE 0 END");
    const { number: both, conditions } = await numbered("code, maybe", dialect);
    expect(both).toBe(`((${ofInteger("A")} * 1000003 + ${boolean}) % ${many})`);
    expect(conditions).toEqual([]);
  });

  it.runIf(dialect.copiesTables)(
    "is made of texts by a hash, once a row, where groups would be found anew",
    async () => {
      const value = `${dialect.textNumber("A")} % ${many}`;
      const { number: found, joins } = await numbered("town", dialect);
      expect([found, joins]).toEqual([number("A", value), ""]);
      expect((await numbered("town, code", dialect)).joins).toBe("");
    },
  );

  it.skipIf(dialect.copiesTables)(
    "is made of texts and of the bits of doubles by a hash, once a group",
    async () => {
      for (const [keys, key, value] of [
        ["town", "own.k0", dialect.textNumber("own.k0")],
        ["wild", "own.k0", dialect.textNumber(dialect.doubleBits("own.k0"))],
      ] as const) {
        const { number: found, joins } = await numbered(keys, dialect);
        expect(found).toBe("numbered.x");
        expect(joins).toContain(
          `(SELECT own.k0, ${number(key, `${value} % ${many}`)} AS x FROM (SELECT A AS k0 FROM rows GROUP BY 1) AS own) AS numbered ON `,
        );
      }
      const { joins } = await numbered("town, code", dialect);
      expect(joins).toContain("FROM (SELECT A AS k0, B AS k1 FROM rows GROUP BY 1, 2) AS own");
      expect(joins).toContain(ofInteger("own.k1"));
    },
  );
});
