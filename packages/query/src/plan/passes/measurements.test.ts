import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { PlanOptions } from "../merge-options.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "../question/plan-question.ts";
import { measureAlone } from "./measure-jointly.ts";

const policyOf = ({
  measure = "pure",
  adjacency = "add-or-remove-one",
  bound = "groups-after-filter",
} = {}): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: ${measure}, epsilon: 50${measure === "pure" ? "" : ", delta: 1e-5"} }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 2, max_rows_contributed_per_group: 3, bound: ${bound}, columns: {
    id: { type: text }, x: { type: integer, bounds: [-1, 4], default: 0 }, n: { type: integer, bounds: [0, 10] },
    b: { type: boolean, default: false }, g: { type: text, categories: [a, b, c], default: a }, h: { type: text } } }
`);
const added = policyOf();
const replaced = policyOf({ adjacency: "replace-one" });
const before = policyOf({ bound: "rows-before-filter" });

async function plan(select: string, policy = added, options: PlanOptions = {}): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(`SELECT ${select}`), policy);
  return planQuestion(question, policy, { epsilon: parseRational("1"), ...options }, "hash", measureAlone);
}
/** The name of each measurement, and how far one unit moves it. */
const moved = async (select: string, policy = added): Promise<readonly (readonly string[])[]> =>
  (await plan(select, policy)).measurements.map(({ name, l1, l2Squared }) => [name, l1, l2Squared]);

/* Every total is measured by itself here. A unit brings up to 3 rows to a group. Its x lie in [-1, 4], whose middle is 1; its n in [0, 10], whose middle is 5. */
describe("what is measured, and how far one unit moves it", () => {
  it.each([
    ["COUNT(*)", [["COUNT(*)", "3", "9"]]],
    // Every row has an x.
    ["COUNT(x)", [["COUNT(*)", "3", "9"]]],
    ["COUNT(n)", [["COUNT(n)", "3", "9"]]],
    ["COUNT(DISTINCT id)", [["COUNT(DISTINCT unit)", "1", "1"]]],
    ["COUNT(DISTINCT id) FILTER (WHERE x > 2)", [["COUNT(DISTINCT unit) FILTER (WHERE x > 2)", "1", "1"]]],
    ["COUNT(DISTINCT h)", [["COUNT(DISTINCT h)", "3", "9"]]],
    // There are two values, however many rows.
    ["COUNT(DISTINCT b)", [["COUNT(DISTINCT b)", "2", "4"]]],
    ["SUM(x)", [["SUM(x)", "12", "144"]]],
    ["SUM(x, contribution_bounds_per_group => (-2, 5))", [["SUM(x)", "5", "25"]]],
    ["SUM(x, contribution_bounds_per_group => (-100, 2))", [["SUM(x)", "3", "9"]]],
    ["SUM(x, contribution_bounds_per_row => (-1, 0))", [["SUM(x)", "3", "9"]]],
    // x · n lies in [-10, 40], x · x in [0, 16], and x cubed in [-1, 64].
    ["SUM(x * n)", [["SUM(x * n)", "120", "14400"]]],
    ["SUM(x * x)", [["SUM(x * x)", "48", "2304"]]],
    ["SUM(POWER(x, 3))", [["SUM(POWER(x, 3))", "192", "36864"]]],
    ["SUM(x * n, contribution_bounds_per_group => (-1, 50))", [["SUM(x * n)", "50", "2500"]]],
    ["SUM(x * n, contribution_bounds_per_row => (0, 39))", [["SUM(x * n)", "117", "13689"]]],
    // x − 1 lies in [-2, 3].
    [
      "AVG(x)",
      [
        ["SUM(x − middle)", "9", "81"],
        ["COUNT(*)", "3", "9"],
      ],
    ],
    // (x − 1)² lies in [0, 9], less ⌊9/2⌋ in [-4, 5].
    [
      "VAR_POP(x)",
      [
        ["SUM((x − middle)² − offset)", "15", "225"],
        ["SUM(x − middle)", "9", "81"],
        ["COUNT(*)", "3", "9"],
      ],
    ],
    // (x − 1)(n − 5) lies in [-15, 15]; rows count where both are known.
    [
      "COVAR_POP(x, n)",
      [
        ["SUM((n − middle)(CASE WHEN n IS NOT NULL THEN x ELSE NULL END − middle))", "45", "2025"],
        ["SUM(n − middle)", "15", "225"],
        ["SUM(CASE WHEN n IS NOT NULL THEN x ELSE NULL END − middle)", "9", "81"],
        ["COUNT(n)", "3", "9"],
      ],
    ],
  ])("of %s", async (select, due) => {
    const found = await moved(`${select} FROM t`);
    expect(found).toEqual(due);
  });

  it("is a product of factors only where the question leaves the whole product", async () => {
    const isFactored = async (bounds: string): Promise<boolean> => {
      const { sums } = await plan(`SUM(x * n${bounds}) FROM t`);
      return sums.some((sum) => sum.kind === "sum" && sum.factors !== undefined);
    };
    for (const bounds of ["", "(-10, 40)", "(-99, 1e9)"])
      expect(await isFactored(bounds && `, contribution_bounds_per_row => ${bounds}`), bounds).toBe(true);
    for (const bounds of ["(-9, 40)", "(-10, 39)", "(3, 4)", "auto"])
      expect(await isFactored(`, contribution_bounds_per_row => ${bounds}`), bounds).toBe(false);
    expect(await isFactored(", contribution_bounds_per_group => (0, 1)")).toBe(true);
  });

  it("is k times as much over groups, and no more than there are groups", async () => {
    expect(await moved("g, COUNT(*), SUM(x), COUNT(DISTINCT id) FROM t GROUP BY g")).toEqual([
      ["COUNT(*)", "6", "18"],
      ["SUM(x)", "24", "288"],
      ["COUNT(DISTINCT unit)", "2", "2"],
    ]);
    expect(
      (await plan("g, COUNT(*) FROM t GROUP BY g", added, { maxGroupsContributed: 1 })).measurements,
    ).toMatchObject([{ l1: "3", l2Squared: "9" }]);
  });

  it("is that of all rows of a unit where those are bounded: in one group, or one in each", async () => {
    expect(await moved("g, COUNT(*), COUNT(DISTINCT id), SUM(x) FROM t GROUP BY g", before)).toEqual([
      ["COUNT(*)", "6", "36"],
      // Six rows reach the three groups.
      ["COUNT(DISTINCT unit)", "3", "3"],
      ["SUM(x)", "24", "576"],
    ]);
    expect(await moved("COUNT(DISTINCT b) FROM t", before)).toEqual([["COUNT(DISTINCT b)", "3", "9"]]);
  });

  it("is less where a unit is replaced by one that has rows too, and more where it may lie elsewhere", async () => {
    expect(await moved("COUNT(*), SUM(x), COUNT(DISTINCT id) FROM t", replaced)).toEqual([
      ["COUNT(*)", "2", "4"],
      ["SUM(x)", "15", "225"],
      ["COUNT(DISTINCT unit)", "0", "0"],
    ]);
    // Where a condition, or a missing value, may leave nothing of a unit, 0 is a value too.
    expect(await moved("COUNT(*), SUM(x) FROM t WHERE x > -1", replaced)).toEqual([
      ["COUNT(*)", "3", "9"],
      ["SUM(x)", "15", "225"],
    ]);
    expect(await moved("COUNT(n) FROM t", replaced)).toEqual([["COUNT(n)", "3", "9"]]);
    // Of three groups two units are in two each, of which they share one: three change by 3.
    expect(await moved("g, COUNT(*) FROM t GROUP BY g", replaced)).toEqual([["COUNT(*)", "9", "27"]]);
  });

  it("is each measured once, however many answers are made of it", async () => {
    const { measurements, sums, aggregates } = await plan(
      "AVG(x), COUNT(*), COUNT(x), VAR_POP(x), AVG(n), SUM(x), SUM(x) FROM t",
    );
    expect(measurements.map(({ name }) => name)).toEqual([
      "SUM(x − middle)",
      "COUNT(*)",
      "SUM((x − middle)² − offset)",
      "SUM(n − middle)",
      "COUNT(n)",
      "SUM(x)",
    ]);
    expect(aggregates).toMatchObject([
      { kind: "avg", sum: "SUM(x − middle)", count: "COUNT(*)", mid: "1", half: "3", exponent: 0 },
      { kind: "count", count: "COUNT(*)" },
      {
        kind: "variance",
        population: true,
        squares: "SUM((x − middle)² − offset)",
        sum: "SUM(x − middle)",
        count: "COUNT(*)",
        half: "3",
        offset: "4",
        exponent: 0,
      },
      { kind: "avg", sum: "SUM(n − middle)", count: "COUNT(n)", mid: "5", half: "5" },
      { kind: "sum", sum: "SUM(x)", exponent: 0 },
    ]);
    expect(measurements[2]!.terms).toEqual([
      { sum: "scaled-squares of x", coefficient: "1" },
      { sum: "count", coefficient: "-4" },
    ]);
    expect(new Set(sums.map(({ name: _, ...sum }) => JSON.stringify(sum))).size).toBe(sums.length);
  });

  it("has one tree for all quantiles of a value within the same bounds", async () => {
    const { trees, aggregates } = await plan(
      "MEDIAN(n), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY n), MIN(n), MEDIAN(x), MEDIAN(n, contribution_bounds_per_row => (0, 5)) FROM t",
    );
    expect(trees!.map(({ name, grid }) => [name, grid.lo, grid.hi])).toEqual([
      ["cells of n", "0", "10"],
      ["cells of x", "-1", "4"],
      ["cells of n (2)", "0", "5"],
    ]);
    expect(aggregates).toMatchObject([
      { tree: "cells of n", share: 0.5 },
      { tree: "cells of n", share: 0.9 },
      { tree: "cells of n", standsFor: "min" },
      { tree: "cells of x" },
      { tree: "cells of n (2)" },
    ]);
    // A row weighs 2^20, a unit has three of them, and each tree has one level of eleven cells or fewer.
    for (const { l1, l2Squared, height } of trees!) {
      expect(height).toBe(1);
      expect([l1, l2Squared]).toEqual([`${3n * 2n ** 20n}`, `${(3n * 2n ** 20n) ** 2n}`]);
    }
  });
});

describe("how a price is shared out", () => {
  const laplace = async (
    select: string,
    policy = added,
    options: PlanOptions = {},
  ): Promise<readonly string[]> =>
    (await plan(select, policy, options)).measurements.map(({ noise, l1 }) => {
      if (noise.mechanism !== "discrete-laplace@1") return noise.mechanism;
      const scale = parseRational(noise.scale);
      // ε = Δ₁ / scale.
      const [num, den] = [BigInt(l1) * scale.den, scale.num];
      return `${Number(num) / Number(den)}`;
    });

  it("answers get equal parts of it", async () => {
    expect(await laplace("COUNT(*), SUM(x), COUNT(n), SUM(n) FROM t")).toEqual([
      "0.25",
      "0.25",
      "0.25",
      "0.25",
    ]);
  });

  it("the parts of an average get what makes its error least: cube roots of 1 and 1/4", async () => {
    expect(await laplace("AVG(x) FROM t")).toEqual([`${100 / 163}`, `${63 / 163}`]);
  });

  it("the parts of a variance likewise: cube roots of 1/4, 1 and 1/16", async () => {
    const total = 630 + 1000 + 397;
    expect(await laplace("VAR_POP(x) FROM t")).toEqual([630, 1000, 397].map((part) => `${part / total}`));
  });

  it("in zCDP the trade is another: square roots", async () => {
    const { measurements, event } = await plan("AVG(x) FROM t", policyOf({ measure: "zcdp" }), {
      mechanism: "gaussian",
    });
    const rhos = measurements.map(({ noise, l2Squared }) => {
      if (noise.mechanism !== "rounded-gaussian@1") throw new Error("a Gaussian is due");
      const sigma = parseRational(noise.sigma);
      return (Number(l2Squared) * Number(sigma.den) ** 2) / (2 * Number(sigma.num) ** 2);
    });
    expect(event.kind).toBe("compose");
    expect(rhos[0]! / rhos[1]!).toBeCloseTo(2, 2);
  });

  it("what is no secret gets nothing of it", async () => {
    expect(await laplace("COUNT(DISTINCT id), COUNT(*) FROM t", replaced)).toEqual(["constant@1", "1"]);
  });

  it("choosing groups takes a third beside one answer", async () => {
    const select = "h, COUNT(*) FROM t GROUP BY h";
    const options = { delta: parseRational("1e-6"), mechanism: "laplace" } as const;
    expect(await laplace(select, policyOf({ measure: "approximate" }), options)).toEqual([`${2 / 3}`]);
  });

  it("totals take half as much each as the groups", async () => {
    const policy = policyOf({ measure: "approximate" });
    const { totals, measurements } = await plan("h, g, COUNT(*) FROM t GROUP BY ROLLUP (h, g)", policy, {
      mechanism: "laplace",
    });
    expect(totals!.map(({ keys, share }) => [keys, share])).toEqual([
      [["h"], "1/4"],
      [[], "1/4"],
    ]);
    // A unit is in two groups, so in one total with both or in two with one each: 2 · 3 rows.
    expect(
      totals!.map((total) => total.measurements.map(({ name, l1, l2Squared }) => [name, l1, l2Squared])),
    ).toEqual([[["COUNT(*)", "6", "36"]], [["COUNT(*)", "6", "36"]]]);
    expect(measurements).toMatchObject([{ name: "COUNT(*)", l1: "6", l2Squared: "18" }]);
  });
});

describe("what cannot be measured", () => {
  it.each([
    [
      "SUM(x, contribution_bounds_per_group => (0, 5)) FROM t",
      before,
      /SUM takes bounds per row when the policy limits rows/,
      "write SUM(x, contribution_bounds_per_row => (0, 5))",
    ],
  ])("%s", async (select, policy, message, fix) => {
    await expect(plan(select, policy)).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringMatching(message),
      fix,
    });
  });

  it("are keys that are data, in an account without δ", async () => {
    await expect(plan("h, COUNT(*) FROM t GROUP BY h")).rejects.toMatchObject({
      code: "query.missing-delta",
      message: "the keys h are data, and selecting them privately needs a delta above 0",
      fix: "declare categories of h in the policy: a pure account answers public keys alone",
    });
    await expect(
      plan("h, COUNT(*) FROM t GROUP BY h", policyOf({ measure: "approximate" }), {
        delta: parseRational("0"),
      }),
    ).rejects.toMatchObject({
      code: "query.missing-delta",
      fix: "state delta, or declare categories of h in the policy",
    });
  });
});
