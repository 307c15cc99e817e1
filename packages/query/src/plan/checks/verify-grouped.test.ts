import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import type { GroupedRelation, WindowedRelation } from "../../relations/relation.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { testPolicy } from "../../resolve/testing/test-policy.ts";
import { holdsValues, holdsWindows } from "./verify-grouped.ts";

/** The rows of a question over one subquery of visits. */
async function rows<Kind extends "grouped" | "windowed">(kind: Kind, select: string) {
  const { from } = resolveQuestion(
    await parseQuestion(`SELECT COUNT(*) FROM (SELECT ${select}) t`),
    testPolicy,
  );
  if (from.kind !== kind) throw new Error(`${kind} rows are due`);
  return from as Kind extends "grouped" ? GroupedRelation : WindowedRelation;
}

const integer = { type: "integer", nullable: false, bounds: null, categories: null, default: null } as const;
const number = { type: "number", nullable: true, bounds: null, default: null } as const;

describe("a grouping", () => {
  const made = () =>
    rows(
      "grouped",
      `pid, "Ward", COUNT(*) AS n, SUM(cost) AS total, AVG(cost) AS mean, MAX(cost) AS most FROM "Visits" GROUP BY pid, "Ward"`,
    );
  const column = (name: string, changed: object) => (relation: GroupedRelation) => ({
    ...relation,
    columns: { ...relation.columns, [name]: { ...relation.columns[name]!, ...changed } } as never,
  });
  const grid = (name: string, changed: object) => (relation: GroupedRelation) => {
    const value = relation.values[name] as { grid: object };
    return {
      ...relation,
      values: { ...relation.values, [name]: { ...value, grid: { ...value.grid, ...changed } } } as never,
    };
  };

  it.each<[string, (relation: GroupedRelation) => GroupedRelation]>([
    ["a column of nothing", column("other", number)],
    ["a key that may be NULL in a column that is not", column("Ward", { nullable: false })],
    ["a value that may be NULL in a column that is not", column("most", { nullable: false })],
    ["a sum that may be NULL in a column that is not", column("total", { nullable: false })],
    ["a count in a column of fractions", column("n", number)],
    ["an average in a column without bounds", column("mean", { bounds: null })],
    ["fractions in a column of integers", column("total", { ...integer, nullable: true })],
    ["integers of more bits than add up", grid("total", { hi: `${2n ** 60n}` })],
    ["bounds in the wrong order", grid("total", { lo: "5", hi: "4" })],
    [
      "a column that is a key and a value",
      (relation) => ({ ...relation, values: { ...relation.values, Ward: relation.values.n! } }),
    ],
  ])("does not hold %s", async (_, change) => {
    const relation = await made();
    expect(holdsValues(relation)).toBe(true);
    expect(holdsValues(change(relation))).toBe(false);
  });

  it.each<[string, boolean, (relation: GroupedRelation) => GroupedRelation]>([
    [
      "integers of 54 bits and a sign",
      true,
      grid("total", { lo: `${-(2n ** 54n)}`, hi: `${2n ** 54n - 1n}` }),
    ],
    ["integers of one more above", false, grid("total", { hi: `${2n ** 54n}` })],
    ["integers of one more below", false, grid("total", { lo: `${-(2n ** 54n) - 1n}` })],
    ["bounds that are one point", true, grid("total", { lo: "4", hi: "4" })],
    [
      "integers in a column of integers",
      true,
      (relation) => column("total", { ...integer, nullable: true })(grid("total", { exponent: 0 })(relation)),
    ],
    [
      "an average in a column of integers",
      false,
      column("mean", { ...integer, nullable: true, bounds: [0, 9] }),
    ],
    ["a key in a column that may be NULL as well", true, column("Ward", { nullable: true })],
    ["a count in a column of integers that may be NULL", true, column("n", { nullable: true })],
  ])("holds %s: %s", async (_, holds, change) => {
    expect(holdsValues(change(await made()))).toBe(holds);
  });
});

describe("windows", () => {
  const made = () =>
    rows(
      "windowed",
      `ROW_NUMBER() OVER w AS place, LAG(cost) OVER w AS before, COUNT(*) OVER w AS n,
       FIRST_VALUE(cost) OVER (PARTITION BY pid ORDER BY cost ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS first,
       SUM(cost) OVER (PARTITION BY pid ORDER BY cost ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS total FROM "Visits" WINDOW w AS (PARTITION BY pid ORDER BY cost)`,
    );
  const column = (name: string, changed: object) => (relation: WindowedRelation) => ({
    ...relation,
    columns: { ...relation.columns, [name]: { ...relation.columns[name]!, ...changed } } as never,
  });
  const window = (name: string, changed: object) => (relation: WindowedRelation) => ({
    ...relation,
    values: { ...relation.values, [name]: { ...relation.values[name]!, ...changed } } as never,
  });
  /** Makes the argument a column that is never NULL. */
  const present = (relation: WindowedRelation): WindowedRelation => {
    const { value } = relation.values.first!;
    const argument = { ...value.argument!, domain: { ...value.argument!.domain, nullable: false } };
    return window("first", { value: { ...value, argument } })(relation);
  };

  it.each<[string, (relation: WindowedRelation) => WindowedRelation]>([
    ["a column of nothing", column("other", number)],
    [
      "a value without a column",
      ({ columns, ...relation }) => {
        const { place, ...others } = columns;
        return { ...relation, columns: { ...others, elsewhere: place! } };
      },
    ],
    ["a place in a column of fractions", column("place", number)],
    ["a place without an order", window("place", { order: [] })],
    ["what came before, in a column that is never NULL", column("before", { nullable: false })],
    ["what came before, without an order", window("before", { order: [] })],
    [
      "the first of a frame that may be empty, never NULL",
      (r) => column("first", { nullable: false })(present(r)),
    ],
    [
      "a frame without an end that begins beyond the first row",
      window("total", { frame: { from: 0, to: null } }),
    ],
    ["a frame that ends before it begins", window("total", { frame: { from: 1, to: 0 } })],
    ["a frame of too many rows", window("total", { frame: { from: -1001, to: 0 } })],
    ["a count in a column of fractions", column("n", number)],
  ])("do not hold %s", async (_, change) => {
    const relation = await made();
    expect(holdsWindows(relation)).toBe(true);
    expect(holdsWindows(change(relation))).toBe(false);
  });

  it.each<[string, boolean, object | null]>([
    ["1000 rows before and behind", true, { from: -1000, to: 1000 }],
    ["1001 rows before", false, { from: -1001, to: 0 }],
    ["1001 rows behind", false, { from: 0, to: 1001 }],
    ["one row", true, { from: 3, to: 3 }],
    ["one row that ends before it begins", false, { from: 3, to: 2 }],
    ["all rows up to this one", true, { from: null, to: 0 }],
    ["all rows", true, { from: null, to: null }],
    ["all rows from this one on", false, { from: 0, to: null }],
    ["no frame of their own", true, null],
  ])("hold frames of %s: %s", async (_, holds, frame) => {
    const relation = await made();
    const free = column("total", { nullable: true })(window("total", { frame })(relation));
    expect(holdsWindows(free)).toBe(holds);
  });

  it.each<[string, string]>([
    ["a lead", "lead"],
    ["a lag", "lag"],
  ])("hold %s by an order, in a column that may be NULL", async (_, kind) => {
    const relation = await made();
    const { value } = relation.values.before!;
    const of = window("before", { value: { ...value, kind } })(relation);
    expect(holdsWindows(of)).toBe(true);
    expect(holdsWindows(column("before", { nullable: false })(of))).toBe(false);
    expect(holdsWindows(window("before", { order: [] })(of))).toBe(false);
  });

  it.each(["rank", "dense-rank", "row-number"])(
    "hold a %s by an order, in a column of integers",
    async (kind) => {
      const of = window("place", { value: { kind } })(await made());
      expect(holdsWindows(of)).toBe(true);
      expect(holdsWindows(column("place", number)(of))).toBe(false);
      expect(holdsWindows(window("place", { order: [] })(of))).toBe(false);
    },
  );
});
