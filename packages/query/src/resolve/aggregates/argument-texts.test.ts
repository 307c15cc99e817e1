import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { clampInteger, gridFor, gridOf, roundHalfEven, toGrid } from "../../grid/grid.ts";
import { parseQuestion } from "../../parse/index.ts";
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
async function refused(select: string): Promise<readonly unknown[]> {
  const question = resolveQuestion(await parseQuestion(`SELECT ${select}`), policy);
  try {
    planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
  } catch (error) {
    const { code, message, fix } = error as { code: string; message: string; fix: string };
    return [code, message, fix];
  }
  throw new Error("was accepted");
}
const learned = "; write contribution_bounds_per_row => auto to have them learned, for a part of the price";
/** The whole question with learned bounds of its first aggregate. */
const exampleOf = (select: string): string =>
  `; for example: SELECT ${select.replace(/^(\w+\(.*?)\)/, "$1, contribution_bounds_per_row => auto)")}`;

describe("an aggregate of a number without bounds", () => {
  it.each([
    ["SUM(wild) FROM t", "SUM(wild)", "SUM(wild, contribution_bounds_per_row => (lo, hi))", learned],
    ["AVG(wild) FROM t", "AVG(wild)", "AVG(wild, contribution_bounds_per_row => (lo, hi))", learned],
    [
      "VAR_POP(wild) FROM t",
      "VARIANCE(wild)",
      "VARIANCE(wild, contribution_bounds_per_row => (lo, hi))",
      learned,
    ],
    [
      "STDDEV_SAMP(wild) FROM t",
      "STDDEV(wild)",
      "STDDEV(wild, contribution_bounds_per_row => (lo, hi))",
      learned,
    ],
    ["MEDIAN(wild) FROM t", "MEDIAN(wild)", "MEDIAN(wild, contribution_bounds_per_row => (lo, hi))", ""],
  ])("%s is refused, with the places where bounds can be written", async (select, written, rewrite, more) => {
    expect(await refused(select)).toEqual([
      "query.missing-bounds",
      `${written} needs bounds, and wild has none`,
      `write ${rewrite}, or in the policy wild: { bounds: [lo, hi] }${more}${more && exampleOf(select)}`,
    ]);
  });

  it("that a question computes, or reads of a subquery, is no column of the policy", async () => {
    expect((await refused("SUM(wild + 1) FROM t"))[2]).toBe(
      `write SUM(wild + 1, contribution_bounds_per_row => (lo, hi))${learned}${exampleOf("SUM(wild + 1) FROM t")}`,
    );
    const united = "SUM(s.w) FROM (SELECT wild AS w, x FROM t UNION ALL SELECT wild, x FROM t) s";
    expect((await refused(united))[2]).toBe(
      `write SUM(s.w, contribution_bounds_per_row => (lo, hi)), or bound s.w where it comes from${learned}${exampleOf(united)}`,
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
