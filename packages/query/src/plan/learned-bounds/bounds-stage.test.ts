import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { type Plan, planQuestion } from "../index.ts";
import { stageContribution, stagePlan, stageSensitivity } from "./bounds-stage.ts";
import { assumedBounds, learnedArguments, withBounds } from "./learned-arguments.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 50 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 3, max_rows_contributed_per_group: 2, columns: {
    id: { type: text }, x: { type: number }, age: { type: integer, bounds: [-3, 10] }, three: { type: integer, categories: [3], default: 3 }, g: { type: text, categories: [a, b] } } }
`);
const auto = "contribution_bounds_per_row => auto";
const resolved = async (select: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(`SELECT ${select}`), policy);
const planned = async (select: string): Promise<Plan> =>
  planQuestion(await resolved(select), policy, { epsilon: parseRational("1") }, "hash");
const weight = 2n ** 20n;

describe("what a unit contributes to the cells", () => {
  const after = {
    limit: "groups-after-filter",
    groups: 3,
    rows: 2,
    enforced: true,
    choosesGroups: true,
  } as const;
  const before = {
    limit: "rows-before-filter",
    groups: 3,
    rows: 2,
    enforced: true,
    choosesGroups: false,
  } as const;

  it("weighs as one row in one group, unless its rows are bounded already", () => {
    expect(stageContribution(after)).toEqual({ ...after, groups: 1, rows: 1, choosesGroups: false });
    expect(stageContribution(before)).toEqual(before);
    expect(stageContribution({ ...before, enforced: false })).toEqual({
      ...before,
      enforced: false,
      groups: 1,
      rows: 1,
    });
  });

  it("moves one cell by its weight, and two where it takes another's place", () => {
    expect(stageSensitivity("add-or-remove-one", after)).toEqual({ l1: weight, l2Squared: weight ** 2n });
    expect(stageSensitivity("replace-one", after)).toEqual({ l1: 2n * weight, l2Squared: 2n * weight ** 2n });
    expect(stageSensitivity("add-or-remove-one", before)).toEqual({
      l1: 6n * weight,
      l2Squared: 36n * weight ** 2n,
    });
  });
});

describe("the plan of the cells", () => {
  it("counts the cells of each argument, over the same rows and without groups", async () => {
    const plan = await planned(
      `g, SUM(age, ${auto}), AVG(x, ${auto}), COUNT(*) FROM t WHERE age > 0 GROUP BY g`,
    );
    const cells = stagePlan(plan);
    expect(cells).toMatchObject({
      where: plan.where,
      unit: plan.unit,
      policyHash: "hash",
      contribution: { groups: 1, rows: 1, enforced: true },
      keys: { parts: [], program: { kind: "none" } },
      sums: [{ kind: "units" }],
      measurements: [],
      aggregates: [],
      outputs: [],
      post: { having: null, orderBy: [], limit: null, offset: 0 },
    });
    expect(cells).not.toHaveProperty("learned");
    const [age, x] = cells.trees!;
    // Ends −3, −2, −1, 0, 1, 2, 4, 8, 10: a test each, and 0 has two.
    expect(age).toMatchObject({
      name: "cells of the size of age",
      grid: { exponent: 0, lo: "0", hi: "10" },
      cellWidth: "1",
      branching: 11,
      height: 1,
      rowWeight: Number(weight),
      l1: `${weight}`,
      noise: plan.learned!.stages[0]!.noise,
    });
    const { argument } = age!;
    if (argument.kind !== "call") throw new Error("a call is due");
    expect(argument.operator).toBe("cell-among");
    expect(argument.args.slice(1).map((arg) => (arg.kind === "literal" ? arg.value : arg))).toEqual([
      -3, -2, -1, 0, 1, 2, 4, 8, 10,
    ]);
    expect(x).toMatchObject({ name: "cells of the size of x" });
  });

  it("has no groupings, whatever the question asks", async () => {
    const plan = await planned(`g, SUM(age, ${auto}) FROM t GROUP BY ROLLUP (g)`);
    expect(plan).toHaveProperty("groupings");
    expect(stagePlan(plan)).not.toHaveProperty("groupings");
    expect(stagePlan(await planned("COUNT(*) FROM t")).trees).toEqual([]);
  });
});

describe("the arguments whose bounds are learned", () => {
  it("are those that a question says, each once", async () => {
    const question = await resolved(
      `SUM(age, ${auto}), AVG(age, ${auto}), SUM(x, ${auto}), SUM(three, ${auto}), SUM(age), SUM(age, contribution_bounds_per_row => (0, 1)), COUNT(*) FROM t`,
    );
    const learned = learnedArguments(question);
    expect(learned.map(({ argument }) => (argument.kind === "column" ? argument.name : "?"))).toEqual([
      "age",
      "x",
    ]);
    expect(learned.map(assumedBounds)).toEqual([
      [-3, 10],
      [-1, 1],
    ]);
    const bounds = withBounds(question, learned, [
      [0, 4],
      [-2, 2],
    ]).aggregates.map((aggregate) => ("bounds" in aggregate ? aggregate.bounds : undefined));
    const of = (lo: number, hi: number) => ({ per: "row", lo, hi, learned: true });
    expect(bounds).toEqual([
      of(0, 4),
      of(0, 4),
      of(-2, 2),
      // There is nothing to learn of one value.
      null,
      null,
      { per: "row", lo: 0, hi: 1 },
      undefined,
    ]);
  });

  it("share a fifth of the price evenly", async () => {
    const epsilons = async (select: string): Promise<readonly number[]> =>
      (await planned(select)).learned!.stages.map(({ noise, l1 }) => {
        if (noise.mechanism !== "discrete-laplace@1") throw new Error("Laplace noise is due");
        const scale = parseRational(noise.scale);
        return (Number(l1) * Number(scale.den)) / Number(scale.num);
      });
    expect(await epsilons(`SUM(age, ${auto}) FROM t`)).toEqual([0.2]);
    expect(await epsilons(`SUM(age, ${auto}), SUM(x, ${auto}) FROM t`)).toEqual([0.1, 0.1]);
  });
});
