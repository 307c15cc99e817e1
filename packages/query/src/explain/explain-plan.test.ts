import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { explainPlan } from "./explain-plan.ts";
import type { Explanation } from "./explanation.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  people:
    file: people.parquet
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      town: { type: text }
`);

const visitsPolicy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  visits:
    file: visits.parquet
    unit: visitor
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    columns:
      visitor: { type: text }
      town: { type: text, categories: [Oslo, Bergen] }
`);

async function explained(text: string, of: Policy = policy): Promise<Explanation> {
  const options = { epsilon: parseRational("1") };
  return explainPlan(planQuestion(resolveQuestion(await parseQuestion(text), of), of, options, "hash"), of);
}

describe("an explanation", () => {
  it("states noise and half-widths in the question's units", async () => {
    const { answers, measurements } = await explained("SELECT SUM(wage) FROM people");
    expect(measurements).toMatchObject([{ l1: 60, l2: 60, scale: 60, mechanism: "discrete-laplace@1" }]);
    // P[|Z| > q] = 0.05 for Laplace noise of scale 60 at q = 60·ln 20.
    expect(answers[0]!.halfWidth).toBeCloseTo(60 * Math.log(20), 2);
    expect(measurements[0]!.price).toEqual({ measure: "approximate", epsilon: "1", delta: "0" });
  });

  it("shows averages by group size: narrower in larger groups, never wider than the bounds", async () => {
    const { answers } = await explained("SELECT AVG(wage) AS mean, STDDEV_POP(wage) FROM people");
    for (const { curve, halfWidth, bounds } of answers) {
      expect(halfWidth).toBeNull();
      const [lo, hi] = bounds!;
      for (const [at, { typical, worst }] of curve.entries()) {
        expect(typical).toBeLessThanOrEqual(worst);
        expect(worst).toBeLessThanOrEqual(hi - lo);
        if (at > 0) expect(typical).toBeLessThanOrEqual(curve[at - 1]!.typical);
      }
      expect(curve.at(-1)!.typical).toBeLessThan(0.01);
    }
    expect(answers.map(({ name }) => name)).toEqual(["mean", expect.any(String)]);
  });

  it("shows a ratio to a count by group size: an average's twin, a little wider", async () => {
    const { answers } = await explained(
      "SELECT SUM(wage) / COUNT(*) AS ratio, SUM(wage) / SUM(wage + 1) FROM people",
    );
    const [ratio, other] = answers;
    expect(ratio!.curve.length).toBeGreaterThan(3);
    for (const [at, { typical, worst }] of ratio!.curve.entries()) {
      expect(typical).toBeLessThanOrEqual(worst);
      if (at > 0) expect(typical).toBeLessThan(ratio!.curve[at - 1]!.typical);
    }
    // Noise of scale 120·k on a sum of 1000 rows: its quantile alone is a lower bound of the width.
    const alone = (await explained("SELECT SUM(wage) FROM people")).answers[0]!.halfWidth!;
    expect(ratio!.curve.find(({ rows }) => rows === 1000)!.typical).toBeGreaterThan(alone / 1000);
    expect(other!.curve).toEqual([]);
  });

  it("reads a curve at the rows that the policy expects, shared out over public groups", async () => {
    const expecting = readPolicy(
      `
version: 1
privacy_unit: { name: person, adjacency: replace-one }
budget: { measure: pure, epsilon: 10 }
tables:
  people:
    file: people.parquet
    unit: row
    expected_rows: 900
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      town: { type: text, categories: [Oslo, Bergen], default: Oslo }
`,
    );
    const [all] = (await explained("SELECT AVG(wage) FROM people", expecting)).answers;
    expect(all!.expected).toMatchObject({ rows: 900 });
    const [each] = (await explained("SELECT AVG(wage) FROM people GROUP BY town", expecting)).answers;
    expect(each!.expected).toMatchObject({ rows: 450 });
    expect(each!.expected!.typical).toBeGreaterThan(all!.expected!.typical);
    // A group that the WHERE excludes takes its rows away with it.
    const [oslo] = (
      await explained("SELECT AVG(wage) FROM people WHERE town = 'Oslo' GROUP BY town", expecting)
    ).answers;
    expect(oslo!.expected).toMatchObject({ rows: 450 });
    const { prices, tree } = await explained("SELECT COUNT(*) FROM people GROUP BY town", expecting);
    expect(prices.map(({ measure }) => measure)).toEqual(["pure", "zcdp"]);
    const bounded = (of: Explanation["tree"]): Explanation["tree"] =>
      of.label === "limit contributions" ? of : bounded(of.children[0]!);
    expect(bounded(tree).stability).toEqual({ rows: 2, groups: 2 });
  });

  it("tells how likely a private group is missing, by its units, until hardly ever", async () => {
    const { missing } = await explained("SELECT town, COUNT(*) FROM people GROUP BY town");
    expect(missing.slice(0, 4).map(({ units }) => units)).toEqual([1, 2, 5, 10]);
    expect(missing[0]!.chance).toBeGreaterThan(0.999);
    expect(missing.at(-1)!.chance).toBeLessThan(1e-6);
    expect((await explained("SELECT COUNT(*) FROM people")).missing).toEqual([]);
  });

  it("shows quantiles by group size, and what they are read from as rows", async () => {
    const { answers, measurements } = await explained(
      "SELECT MEDIAN(wage), MAX(wage), MEDIAN(wage) / 2 AS half FROM people",
    );
    expect(measurements).toMatchObject([
      {
        name: "cells of wage",
        l1: 3,
        l2: Math.sqrt(3),
        mechanism: "discrete-laplace@1",
        price: { epsilon: "1" },
      },
    ]);
    // Three levels at ε = 1: Laplace noise of three rows on each count.
    expect(measurements[0]!.scale).toBeCloseTo(3, 9);
    for (const { kind, curve, bounds, halfWidth } of answers.slice(0, 2)) {
      expect([kind, halfWidth]).toEqual(["quantile", null]);
      expect(bounds![1] - bounds![0]).toBeCloseTo(60, 3);
      expect(curve[0]!.typical).toBeLessThanOrEqual(30);
      for (const [at, { typical }] of curve.entries())
        if (at > 0) expect(typical).toBeLessThanOrEqual(curve[at - 1]!.typical);
      // A hundredth of a step of 60/4096, but for the cell itself.
      expect(curve.at(-1)!.typical).toBeLessThan(0.02);
    }
    expect(answers[2]).toMatchObject({ kind: "computed", curve: [], madeOf: ["cells of wage"] });
  });

  it("is a tree from the answer down to the columns read", async () => {
    const labels: string[] = [];
    for (
      let node = (await explained("SELECT town, COUNT(*) FROM people WHERE wage > 1 GROUP BY town")).tree;
      node;
      node = node.children[0]!
    ) {
      labels.push(node.label);
    }
    expect(labels).toEqual(["answer", "group", "measure", "limit contributions", "filter", "read people"]);
  });

  it("bounds a spread by the bounds of the column: the sample's by √2 more than the population's", async () => {
    const { answers } = await explained(
      "SELECT VAR_POP(wage), VAR_SAMP(wage), STDDEV_POP(wage), STDDEV_SAMP(wage) FROM people",
    );
    const greatest = answers.map(({ bounds }) => bounds![1]);
    for (const [at, expected] of [900, 1800, 30, 30 * Math.SQRT2].entries()) {
      expect(greatest[at]).toBeGreaterThanOrEqual(expected * (1 - 1e-12));
      expect(greatest[at]).toBeLessThan(expected * 1.0001);
    }
    for (const { bounds } of answers) expect(bounds![0]).toBe(0);
  });

  it("says who is protected where a column names the unit, and what bounds a unit's rows", async () => {
    const { unit, adjacency, tree } = await explained("SELECT COUNT(*) FROM visits", visitsPolicy);
    expect(unit).toBe("one person is one visitor");
    expect(adjacency).toMatch(/in the data at all is hidden/);
    const bounded = (of: Explanation["tree"]): readonly string[] =>
      of.label === "limit contributions" ? of.details : bounded(of.children[0]!);
    expect(bounded(tree)).toEqual(["at most 1 group per unit", "at most 3 rows per unit and group"]);
    const byTown = await explained("SELECT town, COUNT(*) FROM visits GROUP BY town", visitsPolicy);
    expect(bounded(byTown.tree)).toEqual(["at most 2 groups per unit", "at most 3 rows per unit and group"]);
  });

  it("counts the groups that the policy declares", async () => {
    const { tree, missing } = await explained(
      "SELECT town, COUNT(*) FROM visits GROUP BY town",
      visitsPolicy,
    );
    expect(tree.children[0]).toMatchObject({
      label: "group",
      details: ["by town", expect.stringMatching(/^\d public groups, each answered$/)],
    });
    expect(missing).toEqual([]);
  });
});
