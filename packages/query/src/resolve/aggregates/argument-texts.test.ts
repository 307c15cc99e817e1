import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { clampInteger, gridFor, gridOf, roundHalfEven, toGrid } from "../../grid/grid.ts";
import { parseQuestion } from "../../parse/index.ts";
import type { Plan } from "../../plan/plan.ts";
import { planQuestion } from "../../plan/question/plan-question.ts";
import { type ColumnPolicy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../index.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 50 }
tables:
  t: { file: t.csv, unit: id, columns: { id: { type: text }, wild: { type: number }, x: { type: integer, bounds: [0, 9] }, town: { type: text } } }
`);
async function planned(select: string): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(`SELECT ${select}`), policy);
  return planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
}
async function refused(select: string): Promise<readonly unknown[]> {
  try {
    await planned(select);
  } catch (error) {
    const { code, message, fix } = error as { code: string; message: string; fix: string };
    return [code, message, fix];
  }
  throw new Error("was accepted");
}
describe("an aggregate of a number without bounds", () => {
  it.each(["SUM(wild)", "AVG(wild)", "VAR_POP(wild)", "STDDEV_SAMP(wild)", "SUM(wild + 1)"])(
    "learns them, as where it is asked to: %s",
    async (aggregate) => {
      const asked = aggregate.replace(")", ", contribution_bounds_per_row => auto)");
      const [silent, stated] = await Promise.all(
        [aggregate, asked].map((select) => planned(`${select} FROM t`)),
      );
      expect(silent?.learned?.stages.length).toBe(1);
      expect({ ...silent, text: "" }).toEqual({ ...stated, text: "" });
    },
  );

  it("is refused where it cannot learn them, with the places where bounds can be written", async () => {
    expect(await refused("MEDIAN(wild) FROM t")).toEqual([
      "query.missing-bounds",
      "MEDIAN(wild) needs bounds, and wild has none",
      "write MEDIAN(wild, contribution_bounds_per_row => (lo, hi)), or in the policy wild: { bounds: [lo, hi] }",
    ]);
  });

  it("that a question computes, or reads of a subquery, is no column of the policy", async () => {
    expect((await refused("MEDIAN(wild + 1) FROM t"))[2]).toBe(
      "write MEDIAN(wild + 1, contribution_bounds_per_row => (lo, hi))",
    );
    const united = "MEDIAN(s.w) FROM (SELECT wild AS w, x FROM t UNION ALL SELECT wild, x FROM t) s";
    expect((await refused(united))[2]).toBe(
      "write MEDIAN(s.w, contribution_bounds_per_row => (lo, hi)), or bound s.w where it comes from",
    );
  });

  it("names its further arguments", async () => {
    const [, message, fix] = await refused("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY wild) FROM t");
    expect(message).toBe("PERCENTILE_CONT(wild, 0.9) needs bounds, and wild has none");
    expect(fix).toBe(
      "write PERCENTILE_CONT(wild, 0.9, contribution_bounds_per_row => (lo, hi)), or in the policy wild: { bounds: [lo, hi] }",
    );
  });
});

describe("a grid", () => {
  it("has steps of powers of two, as many as numbers need", () => {
    expect(gridFor([0, 60], false)).toEqual({ exponent: -15, lo: "0", hi: "1966080" });
    expect(gridFor([0, 64], false)).toEqual({ exponent: -14, lo: "0", hi: "1048576" });
    expect(gridFor([-1, 1], false)).toEqual({ exponent: -19, lo: "-524288", hi: "524288" });
    // The ends move inward to the next step.
    expect(gridFor([0.3, 60.3], false)).toEqual({
      exponent: -15,
      lo: `${Math.ceil(0.3 * 2 ** 15)}`,
      hi: `${Math.floor(60.3 * 2 ** 15)}`,
    });
    expect(gridFor([-5, 5], true)).toEqual({ exponent: 0, lo: "-5", hi: "5" });
    // Beyond 2^53 integers are no longer exact in doubles.
    expect(gridFor([2 ** 53 - 1, 2 ** 53], true).exponent).toBe(0);
    expect(gridFor([2 ** 53, 2 ** 53 + 2], true).exponent).toBe(1);
    expect(gridFor([0, 0], false)).toEqual({ exponent: 0, lo: "0", hi: "0" });
  });

  it("of a stored column holds all that it can be, integers and times as they are", () => {
    const { t } = policy.tables;
    expect(gridOf(t!.columns.x!)).toEqual({ exponent: 0, lo: "0", hi: "9" });
    expect(gridOf(t!.columns.wild!)).toBeNull();
    expect(gridOf(t!.columns.town!)).toBeNull();
    const column = (more: object): ColumnPolicy =>
      ({ nullable: true, default: null, ...more }) as ColumnPolicy;
    expect(gridOf(column({ type: "integer", bounds: null, categories: null }))).toEqual({
      exponent: 0,
      lo: `${-(2 ** 53)}`,
      hi: `${2 ** 53}`,
    });
    for (const type of ["date", "timestamp"])
      expect(gridOf(column({ type, bounds: [-3, 40] }))).toEqual({ exponent: 0, lo: "-3", hi: "40" });
    expect(gridOf(column({ type: "boolean" }))).toBeNull();
    expect(gridOf(column({ type: "number", bounds: [0, 64] }))).toEqual(gridFor([0, 64], false));
  });

  it("takes the nearest integer, ties to even, and clamps it", () => {
    expect([2.4999, 2.5, 2.5001, 3.5, -2.5, -3.5, -2.6].map(roundHalfEven)).toEqual([2, 2, 3, 4, -2, -4, -3]);
    expect(toGrid(10, 2)).toBe(2n);
    expect(toGrid(14, 2)).toBe(4n);
    expect(toGrid(0.3, -10)).toBe(307n);
    expect([-9n, -2n, 0n, 3n, 4n].map((i) => clampInteger(i, -2n, 3n))).toEqual([-2n, -2n, 0n, 3n, 3n]);
  });
});
