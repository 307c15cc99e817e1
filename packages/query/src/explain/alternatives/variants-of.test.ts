import { parseRational, ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type PlanOptions, planQuestion } from "../../plan/index.ts";
import { mergeOptions } from "../../plan/merge-options.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { explainQuestion } from "./explain-question.ts";
import type { Variant } from "./variant.ts";
import { variantsOf } from "./variants-of.ts";

const policyOf = ({
  budget = "{ measure: approximate, epsilon: 10, delta: 1e-6 }",
  bound = "groups-after-filter",
  defaults = "defaults: { delta: 1e-8 }",
} = {}): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: ${budget}
${defaults}
views: { north: "SELECT * FROM visits WHERE ward = 'north'" }
tables:
  visits: { file: v.csv, unit: who, bound: ${bound}, max_groups_contributed: 7, max_rows_contributed_per_group: 5, columns: {
    who: { type: text }, cost: { type: number, bounds: [0, 64], default: 0 }, delay: { type: integer, bounds: [-8, 24], default: 0 },
    ward: { type: text, categories: [north, south, east, west], default: north }, town: { type: text }, zip: { type: integer } } }
  guests: { file: g.csv, unit: row, columns: { size: { type: integer, bounds: [0, 9] }, three: { type: integer, categories: [3], default: 3 } } }
`);
const policy = policyOf();
const one = ratio(1n);

async function variants(
  text: string,
  options: PlanOptions = {},
  under = policy,
): Promise<readonly Variant[]> {
  const parsed = resolveQuestion(await parseQuestion(text), under);
  const merged = mergeOptions(parsed.options, { epsilon: one, ...options });
  const question: ResolvedQuery = { ...parsed, options: merged };
  return variantsOf(question, planQuestion(question, under, {}, "hash"), under);
}
const said = async (...asked: Parameters<typeof variants>): Promise<readonly unknown[]> =>
  (await variants(...asked)).map(({ change, how, takes }) => [change, how, takes]);

const forgetsRows = "units with more rows count with some of them only";
const forgetsGroups = "units in more groups count in some of them only";
const clamps = "values beyond are clamped to the bounds, which may bias the answer";
const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";

describe("the changes that could make a question cheaper", () => {
  it("halve what a unit may contribute, rounded down", async () => {
    // A unit may be in no more groups than the four that there are.
    expect(await said(byWard)).toEqual([
      ["a unit in at most 2 groups instead of 4", "max_groups_contributed = 2", forgetsGroups],
      ["at most 2 rows of a unit in a group instead of 5", "max_rows_contributed_per_group = 2", forgetsRows],
    ]);
    const [fewer, less] = await variants(byWard);
    expect(fewer!.question.options).toMatchObject({
      maxGroupsContributed: 2,
      maxRowsContributed: null,
      maxRowsPerGroup: null,
      epsilon: one,
    });
    expect(less!.question.options).toMatchObject({
      maxGroupsContributed: null,
      maxRowsPerGroup: 2,
      epsilon: one,
    });
    expect(await said(byWard, { maxGroupsContributed: 3, maxRowsPerGroup: 2 })).toEqual([
      ["a unit in at most 1 group instead of 3", "max_groups_contributed = 1", forgetsGroups],
      ["at most 1 row of a unit in a group instead of 2", "max_rows_contributed_per_group = 1", forgetsRows],
    ]);
    expect(await said(byWard, { maxGroupsContributed: 1, maxRowsPerGroup: 1 })).toEqual([]);
  });

  it("count all rows of a unit where those are bounded", async () => {
    const early = policyOf({ bound: "rows-before-filter" });
    expect(await said(byWard, {}, early)).toEqual([
      ["at most 10 rows of a unit instead of 20", "max_groups_contributed = 2", forgetsRows],
      ["at most 8 rows of a unit instead of 20", "max_rows_contributed_per_group = 2", forgetsRows],
    ]);
    expect(await said(byWard, { maxGroupsContributed: 2, maxRowsPerGroup: 1 }, early)).toEqual([
      ["at most 1 row of a unit instead of 2", "max_groups_contributed = 1", forgetsRows],
    ]);
  });

  it("leave rows alone that are units", async () => {
    expect(await said("SELECT COUNT(*) FROM guests")).toEqual([]);
  });

  it("halve bounds: towards 0 for a sum, about the middle for anything else", async () => {
    const bounds = async (select: string): Promise<readonly unknown[]> =>
      said(`SELECT ${select} FROM visits`, { maxGroupsContributed: 1, maxRowsPerGroup: 1 });
    expect(await bounds("SUM(cost)")).toEqual([
      [
        "bounds of cost half as wide, (0, 32)",
        "contribution_bounds_per_row => (0, 32) in SUM(cost), or bounds in the policy",
        clamps,
      ],
    ]);
    expect(await bounds("SUM(delay)")).toEqual([
      [
        "bounds of delay half as wide, (-4, 12)",
        "contribution_bounds_per_row => (-4, 12) in SUM(delay), or bounds in the policy",
        clamps,
      ],
    ]);
    for (const [select, name] of [
      ["AVG(delay)", "AVG(delay)"],
      ["VAR_POP(delay)", "VARIANCE(delay)"],
      ["STDDEV(delay)", "STDDEV(delay)"],
      ["MEDIAN(delay)", "the quantile of delay"],
    ] as const)
      expect(await bounds(select)).toEqual([
        [
          "bounds of delay half as wide, (0, 16)",
          `contribution_bounds_per_row => (0, 16) in ${name}, or bounds in the policy`,
          clamps,
        ],
      ]);
  });

  it("halve the bounds of an argument in all of its aggregates, and of no other", async () => {
    const found = await variants("SELECT SUM(cost), AVG(cost), SUM(delay), COUNT(*) FROM visits");
    const of = found.filter(({ change }) => change.startsWith("bounds of"));
    expect(of.map(({ how }) => how)).toEqual([
      "contribution_bounds_per_row => (0, 32) in each of its aggregates, or bounds in the policy",
      "contribution_bounds_per_row => (-4, 12) in SUM(delay), or bounds in the policy",
    ]);
    const stated = of.map(({ question }) =>
      question.aggregates.map((aggregate) => ("bounds" in aggregate ? aggregate.bounds : undefined)),
    );
    const cost = { per: "row", lo: 0, hi: 32 };
    expect(stated).toEqual([
      [cost, cost, null, undefined],
      [null, null, { per: "row", lo: -4, hi: 12 }, undefined],
    ]);
  });

  it("halve the bounds of more than eight numbers together", async () => {
    const sums = (numbers: number): string =>
      Array.from({ length: numbers }, (_, at) => `SUM(cost + ${at})`).join(", ");
    const of = async (numbers: number): Promise<readonly Variant[]> =>
      (await variants(`SELECT ${sums(numbers)}, COUNT(*) FROM visits`)).filter(({ change }) =>
        change.startsWith("bounds of"),
      );
    expect((await of(8)).length).toBe(8);
    const [all, ...others] = await of(9);
    expect([all?.change, others]).toEqual(["bounds of all 9 numbers half as wide", []]);
    const stated = all?.question.aggregates.flatMap((aggregate) =>
      "bounds" in aggregate && aggregate.bounds?.per === "row"
        ? [[aggregate.bounds.lo, aggregate.bounds.hi]]
        : [],
    );
    expect(stated).toEqual(Array.from({ length: 9 }, (_, at) => [at / 2, (64 + at) / 2]));
  });

  it("halve bounds that are stated for rows, and none that are stated for groups or have no inside", async () => {
    const bounds = async (text: string): Promise<readonly string[]> =>
      (await variants(text)).flatMap(({ change }) => (change.startsWith("bounds of") ? [change] : []));
    expect(await bounds("SELECT SUM(cost, contribution_bounds_per_row => (2, 6)) FROM visits")).toEqual([
      "bounds of cost half as wide, (1, 3)",
    ]);
    expect(await bounds("SELECT SUM(cost, contribution_bounds_per_group => (0, 6)) FROM visits")).toEqual([]);
    expect(await bounds("SELECT SUM(cost, contribution_bounds_per_row => auto) FROM visits")).toEqual([]);
    expect(await bounds("SELECT AVG(three) FROM guests")).toEqual([]);
    expect(await bounds("SELECT COUNT(cost) FROM visits")).toEqual([]);
    expect(await bounds("SELECT SUM(cost / 96) FROM visits")).toEqual([
      "bounds of cost / 96 half as wide, (0, 0.333333)",
    ]);
  });

  it("list keys that are data, and answer listed ones that were asked in private", async () => {
    const listed = "values outside the list join the group of the default, or of NULL";
    const publics = async (text: string, options: PlanOptions = {}): Promise<readonly Variant[]> =>
      (await variants(text, options)).filter(({ how }) => /categories|selection/.test(how));
    const [ofTown, ...others] = await publics(
      "SELECT town, ward, zip, COUNT(*) FROM visits GROUP BY 1, 2, 3",
      {
        minPrivacyUnitsPerGroup: 5,
      },
    );
    expect(others).toEqual([]);
    expect(ofTown).toMatchObject({
      change: "a public list of town and zip instead of selecting groups privately",
      how: "categories of town and zip in the policy, from what is public and never from the data",
      takes: listed,
    });
    expect(ofTown!.question.options).toMatchObject({ groupSelection: null, minPrivacyUnitsPerGroup: null });
    // As many values as a unit can be in groups: more would change nothing.
    const domains = ofTown!.question.groupBy.map(({ expression: { domain } }) =>
      "values" in domain ? domain.values : null,
    );
    expect(domains).toEqual([
      ["0", "1", "2", "3", "4", "5", "6"],
      ["north", "south", "east", "west"],
      [0, 1, 2, 3, 4, 5, 6],
    ]);
    const [fewer] = await publics("SELECT town, COUNT(*) FROM visits GROUP BY 1", {
      maxGroupsContributed: 1,
    });
    expect(fewer!.question.groupBy[0]!.expression.domain).toMatchObject({ values: ["0", "1"] });
    expect(
      await publics("SELECT ward, COUNT(*) FROM visits GROUP BY 1", { groupSelection: "private" }),
    ).toMatchObject([
      {
        change: "answer every public key instead of selecting groups privately",
        how: "group_selection_strategy = public",
        takes: null,
        question: { options: { groupSelection: null } },
      },
    ]);
    // Nobody can list the values of numbers, or of what is computed.
    for (const key of ["cost", "zip + 1", "town || 'x'"])
      expect(await publics(`SELECT ${key}, COUNT(*) FROM visits GROUP BY 1`)).toEqual([]);
    expect(await publics("SELECT town, COUNT(*) FROM visits GROUP BY ROLLUP (town)")).toEqual([]);
    expect(await publics(byWard)).toEqual([]);
  });

  it("offer a hundredth of δ to Gaussian noise where nobody did, in an account that has one", async () => {
    const noise = async (text: string, options: PlanOptions, under: Policy): Promise<readonly unknown[]> =>
      (await said(
        text,
        { maxRowsPerGroup: 1, maxGroupsContributed: 1, ...options },
        under,
      )) as readonly unknown[];
    const silent = policyOf({ defaults: "" });
    const all = "SELECT COUNT(*) FROM visits";
    expect(await noise(all, {}, silent)).toEqual([
      ["Gaussian noise, which may spend δ", "delta = 1e-8", "it spends δ 1e-8 of the account"],
    ]);
    const [offered] = await variants(all, { maxRowsPerGroup: 1 }, silent);
    expect(offered!.question.options.delta).toEqual(ratio(1n, 100_000_000n));
    expect(await noise(all, { delta: parseRational("1e-9") }, silent)).toEqual([]);
    expect(await noise(all, {}, policy)).toEqual([]);
    for (const budget of ["{ measure: pure, epsilon: 10 }", "{ measure: zcdp, rho: 1, delta: 1e-6 }"])
      expect(
        await noise(
          all,
          { delta: budget.includes("zcdp") ? parseRational("1e-6") : null },
          policyOf({ budget, defaults: "" }),
        ),
      ).toEqual([]);
    // Selecting groups spends δ anyway.
    expect(
      (
        await said(
          "SELECT town, COUNT(*) FROM visits GROUP BY 1",
          { maxRowsPerGroup: 1, maxGroupsContributed: 1 },
          silent,
        )
      ).length,
    ).toBe(1);
    for (const mechanism of ["laplace", "gaussian"] as const) {
      const [free, ...others] = await variants(
        "SELECT COUNT(*) FROM guests",
        { mechanism, delta: parseRational("1e-9") },
        silent,
      );
      expect(others).toEqual([]);
      expect(free).toMatchObject({
        change: "whichever noise is narrower instead of a stated one",
        how: "leave mechanism out",
        takes: null,
        question: { options: { mechanism: null } },
      });
    }
  });
});

describe("a question that is explained", () => {
  const explained = async (text: string, options: PlanOptions = {}, under = policy) =>
    explainQuestion(resolveQuestion(await parseQuestion(text), under), under, options, "hash");

  it("names the views that it reads, as the policy words them", async () => {
    expect((await explained("SELECT COUNT(*) FROM north", { epsilon: one })).views).toEqual([
      { name: "north", sql: "SELECT * FROM visits WHERE ward = 'north'" },
    ]);
    expect((await explained("SELECT COUNT(*) FROM visits", { epsilon: one })).views).toEqual([]);
  });

  it("has its alternatives at the price that is stated, defaulted or reached", async () => {
    const defaulted = policyOf({ defaults: "defaults: { epsilon: 1, delta: 1e-8 }" });
    const stated = await explained(byWard, { epsilon: one });
    expect(stated.alternatives.length).toBeGreaterThan(0);
    expect((await explained(byWard, {}, defaulted)).alternatives).toEqual(stated.alternatives);
    const target = await explained(byWard, { targetError: ratio(200n) });
    expect(target.target!.reached).toBeLessThanOrEqual(200);
    // At another price the same changes save the same parts.
    expect(target.alternatives.map(({ how }) => how)).toEqual(stated.alternatives.map(({ how }) => how));
    for (const [at, { saved }] of target.alternatives.entries())
      expect(saved).toBeCloseTo(stated.alternatives[at]!.saved, 1);
  });

  it("saves what the narrower noise spares: the least price, to a hundredth, whose interval is no wider", async () => {
    const pure = policyOf({ budget: "{ measure: pure, epsilon: 10 }", defaults: "" });
    /** The least q with P[|Z| > q] at most 0.05, where Z is discrete Laplace noise of this scale. */
    const halfWidth = (scale: number): number => {
      const p = Math.exp(-1 / scale);
      let q = 0;
      while ((2 * p ** (q + 1)) / (1 + p) > 0.05) q += 1;
      return q;
    };
    const { alternatives } = await explained("SELECT COUNT(*) FROM visits", { epsilon: one }, pure);
    expect(alternatives.map(({ how }) => how)).toEqual(["max_rows_contributed_per_group = 2"]);
    const [{ epsilon, error, saved, price }] = alternatives as readonly [(typeof alternatives)[number]];
    // Of five rows a unit two are left.
    expect(error).toBe(halfWidth(2) / halfWidth(5));
    const [num, den = "1"] = epsilon.split("/");
    const enough = Number(num) / Number(den);
    expect(halfWidth(2 / enough)).toBeLessThanOrEqual(halfWidth(5));
    expect(halfWidth(2 / (0.9 * enough))).toBeGreaterThan(halfWidth(5));
    expect(price).toEqual({ measure: "pure", epsilon });
    expect(saved).toBeCloseTo(1 - enough, 12);
  });

  it("is sorted by what a change saves, which lies between nothing and everything", async () => {
    const { alternatives } = await explained("SELECT ward, SUM(cost), COUNT(*) FROM visits GROUP BY ward", {
      epsilon: one,
    });
    expect(alternatives.length).toBeGreaterThan(1);
    for (const [at, { saved, error }] of alternatives.entries()) {
      expect(saved).toBeGreaterThan(0);
      expect(saved).toBeLessThan(1);
      expect(error).toBeLessThanOrEqual(0.99);
      if (at > 0) expect(saved).toBeLessThanOrEqual(alternatives[at - 1]!.saved);
    }
  });
});
