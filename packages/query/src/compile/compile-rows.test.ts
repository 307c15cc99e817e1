import { LetheError, parseRational } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { dialects } from "../dialects/index.ts";
import type { Expression } from "../expressions/index.ts";
import { gridFor } from "../grid/index.ts";
import { parseQuestion } from "../parse/index.ts";
import { type Plan, planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { compileRows } from "./compile-rows.ts";
import type { Category, RowColumn } from "./rows/row-column.ts";
import type { TableStorage } from "./stored/storage-of.ts";

const policyOf = (limit: string): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 9, delta: 1e-6 }
tables:
  visits:
    file: a.duckdb
    unit: pid
    max_rows_contributed_per_group: 4
    limit: ${limit}
    columns:
      pid: { type: text }
      cost: { type: number, bounds: [0, 9] }
      stay: { type: integer, bounds: [0, 30] }
      ward: { type: text, categories: [a, "b'"] }
      free: { type: number }
      open: { type: boolean }
`);
const before = policyOf("rows-before-filter");
const after = policyOf("groups-after-filter");

async function planOf(text: string, policy = before): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
}

/** The plan's keys, by which a test names its expressions. */
const keysOf = ({ keys }: Plan): readonly Expression[] => keys.parts.map(({ expression }) => expression);

function textOf(
  plan: Plan,
  columns: readonly RowColumn[],
  dialect: keyof typeof dialects,
  lies: TableStorage = { relation: ["t"], layout: "snapshot" },
): string {
  return compileRows({ plan, columns }, () => lies, dialects[dialect]!).sql;
}

const costs = gridFor([0, 9], false);

const snapshot: TableStorage = { relation: ["t"], layout: "snapshot", hasPlaces: true };
const grouped = "SELECT cost, ward, COUNT(*) FROM visits WHERE stay > 3 GROUP BY cost, ward";

test.each([
  [
    "duckdb",
    `SELECT CAST(dense_rank() OVER (ORDER BY value.v0) AS DOUBLE) AS u, coalesce((CAST(value.v1 AS DOUBLE) * 0.00000762939453125e0), CAST('NaN' AS DOUBLE)) AS x0, coalesce(CASE WHEN value.v2 = 'b''' THEN 0e0 WHEN value.v2 = 'a' THEN 1e0 END, CAST('NaN' AS DOUBLE)) AS x1 ` +
      `FROM (SELECT source."the name of the privacy unit that this row belongs to, kept as text by import" AS v0, source."cost" AS v1, source."ward" AS v2 FROM "t" AS source WHERE source."the place of this row among those of its privacy unit, kept by the index" <= 4 AND (source."stay" > 3)) AS value` +
      ` ORDER BY value.v0 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST`,
  ],
  [
    "postgres",
    `SELECT CAST(dense_rank() OVER (ORDER BY value.v0) AS double precision) AS u, coalesce((CAST(value.v1 AS double precision) * float8 '0.00000762939453125'), CAST(('NaN' COLLATE "C") AS double precision)) AS x0, coalesce(CASE WHEN value.v2 = ('b''' COLLATE "C") THEN float8 '0' WHEN value.v2 = ('a' COLLATE "C") THEN float8 '1' END, CAST(('NaN' COLLATE "C") AS double precision)) AS x1 ` +
      `FROM (SELECT source."\u0001the name of the" AS v0, source."cost" AS v1, source."ward" AS v2 FROM "t" AS source WHERE source."\u0001the place of th" <= 4 AND (source."stay" > 3) OFFSET bigint '0') AS value` +
      ` ORDER BY value.v0 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST`,
  ],
] as const)(
  "in %s rows come with the number of their unit, in its order and that of their values",
  async (dialect, sql) => {
    const plan = await planOf(grouped);
    const [cost, ward] = keysOf(plan);
    const columns: RowColumn[] = [
      { kind: "number", expression: cost!, grid: costs },
      { kind: "category", expression: ward!, categories: ["b'", "a"] },
    ];
    expect(textOf(plan, columns, dialect, snapshot)).toBe(sql);
  },
);

test("rows that are units have no number, also where they were made of a unit's rows", async () => {
  const inner =
    "SELECT pid, SUM(cost, contribution_bounds_per_row => (0, 9)) AS total FROM visits GROUP BY pid";
  const plan = await planOf(`SELECT total, COUNT(*) FROM (${inner}) t GROUP BY total`, after);
  const [total] = keysOf(plan);
  const columns: RowColumn[] = [{ kind: "number", expression: total!, grid: gridFor([0, 99], false) }];
  for (const dialect of Object.values(dialects)) {
    const query = compileRows({ plan, columns }, () => snapshot, dialect);
    expect(query).toMatchObject({ dialect: dialect.name, columns: 1, numbersUnits: false });
    expect(query.sql).not.toContain("dense_rank");
    expect(query.sql).toMatch(/ ORDER BY 1 ASC NULLS LAST$/);
  }
});

test("long lists of categories are looked up, and short ones need no join", async () => {
  const plan = await planOf(grouped);
  const [, ward] = keysOf(plan);
  const listed = (count: number): RowColumn[] => [
    { kind: "category", expression: ward!, categories: Array.from({ length: count }, (_, at) => `w${at}`) },
  ];
  for (const dialect of ["duckdb", "postgres"] as const) {
    expect(textOf(plan, listed(16), dialect)).not.toContain("JOIN (VALUES");
    expect(textOf(plan, listed(17), dialect)).toContain("LEFT JOIN (VALUES");
  }
});

test("a unit's rows that nothing limits are refused", async () => {
  const plan = await planOf(grouped, after);
  const [cost] = keysOf(plan);
  const columns: RowColumn[] = [{ kind: "number", expression: cost!, grid: costs }];
  let refusal: unknown;
  try {
    textOf(plan, columns, "duckdb");
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(LetheError);
  expect(refusal).toMatchObject({
    code: "query.unsupported",
    fix: expect.stringContaining("limit: rows-before-filter"),
    fields: { column: "pid" },
  });
});

describe("columns that are none are refused, whatever the rows", () => {
  const text = { type: "text", nullable: true, values: null, maxLength: 9 } as const;
  const ward: Expression = { kind: "column", name: "ward", domain: text };
  const open: Expression = { kind: "column", name: "open", domain: { type: "boolean", nullable: true } };
  const domain = { type: "number", bounds: [0, 9], integer: false, nullable: true, values: null } as const;
  const cost: Expression = { kind: "column", name: "cost", domain };
  const number = (expression: Expression): RowColumn => ({ kind: "number", expression, grid: costs });
  const category = (expression: Expression, ...categories: readonly Category[]): RowColumn => ({
    kind: "category",
    expression,
    categories,
  });
  test.each<readonly [string, readonly RowColumn[]]>([
    ["none at all", []],
    ["more than a statement has", Array.from({ length: 1001 }, () => number(cost))],
    ["a text as a number", [number(ward)]],
    ["a truth as a number", [number(cost), number(open)]],
    ["no category", [category(ward)]],
    ["a category twice", [category(ward, "a", "b", "a")]],
    ["zeros that are one number", [category(cost, 0, -0)]],
    [
      "more categories than a policy lists",
      [category(cost, ...Array.from({ length: 2 ** 16 + 1 }, (_, n) => n))],
    ],
    ["numbers for a text", [category(ward, 1)]],
    ["texts for a truth", [category(open, "true")]],
    ["truths for a number", [category(cost, true)]],
    ["a number that is none", [category(cost, 1, Number.NaN)]],
    ["an infinite number", [category(cost, Number.POSITIVE_INFINITY)]],
  ])("%s", async (_name, columns) => {
    const plan = await planOf(grouped);
    expect(() => textOf(plan, columns, "duckdb")).toThrow(
      expect.objectContaining({ name: "LetheError", code: "parameter.invalid" }),
    );
  });

  test("and so is a column that the relation does not have", async () => {
    const plan = await planOf(grouped);
    const other: Expression = { kind: "column", name: "age", domain };
    expect(() => textOf(plan, [number(other)], "duckdb")).toThrow(TypeError);
  });
});
