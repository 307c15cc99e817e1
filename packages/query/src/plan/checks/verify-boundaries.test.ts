import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { assumedBounds, learnedArguments, withBounds } from "../learned-bounds/learned-arguments.ts";
import { type AllocatedQuestion, allocateLoss } from "../passes/allocate-loss.ts";
import { chooseMechanisms } from "../passes/noise/choose-mechanisms.ts";
import type { SumColumn } from "../plan.ts";
import { deriveQuestion } from "../question/derive-question.ts";
import { verify } from "./verify.ts";

/* Where the line is drawn: what lies on it is accepted, what lies beyond is refused. */

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  guests: { file: a.duckdb, unit: row, columns: { age: { type: integer, bounds: [0, 9] }, size: { type: integer, bounds: [0, 9] }, fee: { type: number }, town: { type: text } } }
  visits: { file: a.duckdb, unit: who, max_groups_contributed: 4, max_rows_contributed_per_group: 3, columns: { who: { type: text }, town: { type: text }, age: { type: integer, bounds: [0, 9] } } }
`);

async function allocated(text: string): Promise<AllocatedQuestion> {
  const asked = resolveQuestion(await parseQuestion(text), policy);
  const learned = learnedArguments(asked);
  const assumed = withBounds(asked, learned, learned.map(assumedBounds));
  const options = { epsilon: one, delta: parseRational("1e-6") };
  return allocateLoss(chooseMechanisms(deriveQuestion(assumed, policy, options, learned)));
}
type Stage = keyof typeof verify;
async function says(
  stage: Stage,
  text: string,
  change: (question: AllocatedQuestion) => object,
): Promise<string> {
  const question = await allocated(text);
  try {
    (verify[stage] as (changed: unknown) => unknown)({ ...question, ...change(question) });
    return "accepted";
  } catch (error) {
    return (error as Error).message.replace("the planner made ", "");
  }
}

describe("sums of the engines' 128-bit integers", () => {
  // One bit of sign, 40 of rows, and of one row a unit two more: 84 are left for what one row adds.
  const of =
    (kind: SumColumn["kind"], changed: (sum: SumColumn) => object) => (question: AllocatedQuestion) => ({
      sums: question.sums.map((sum) => (sum.kind === kind ? { ...sum, ...changed(sum) } : sum)),
    });
  const most = 2n ** 84n - 1n;
  const beyond = "a sum that may exceed 127 bits";

  it.each<[string, SumColumn["kind"], (x: bigint) => (sum: SumColumn) => object, bigint]>([
    ["SUM(age)", "sum", (x) => () => ({ hi: `${x}` }), most],
    ["SUM(age)", "sum", (x) => () => ({ lo: `${-x}` }), most],
    [
      "SUM(age)",
      "sum",
      (x) => (sum) => ({ grid: { ...("grid" in sum ? sum.grid : {}), lo: `${-x}` } }),
      most,
    ],
    ["AVG(age)", "scaled-sum", (x) => () => ({ half: `${x}` }), most],
    // Squares and products have twice the bits, and products a sign.
    ["VAR_POP(age)", "scaled-squares", (x) => () => ({ half: `${x}` }), 2n ** 42n - 1n],
    ["COVAR_POP(age, size)", "scaled-products", (x) => () => ({ half: `${x}` }), (2n ** 84n - 1n) / 10n],
  ])("hold %s (%s) up to 84 bits a row", async (select, kind, change, largest) => {
    const text = `SELECT ${select} FROM guests`;
    expect(await says("derived", text, of(kind, change(largest)))).toBe("accepted");
    expect(await says("derived", text, of(kind, change(largest + 1n)))).toBe(beyond);
  });

  it("hold products of factors up to 63 bits, a factor that is always 0 included", async () => {
    const text = "SELECT SUM(age * size) FROM guests";
    const ends = (hi: bigint, other: bigint) => (question: AllocatedQuestion) => ({
      sums: question.sums.map((sum) => {
        const [x, y] = sum.kind === "sum" ? (sum.factors ?? []) : [];
        const at = (factor: typeof x, end: bigint) => ({
          ...factor,
          grid: { exponent: 0, lo: "0", hi: `${end}` },
        });
        return { ...sum, factors: [at(x, hi), at(y, other)] };
      }),
    });
    for (const other of [0n, 1n]) {
      expect(await says("derived", text, ends(2n ** 63n - 1n, other))).toBe("accepted");
      expect(await says("derived", text, ends(2n ** 63n, other))).toBe("a product that may exceed 63 bits");
    }
  });

  it("hold the cells of a tree up to 86 bits a row", async () => {
    const weighed = (weight: number) => (question: AllocatedQuestion) => ({
      trees: question.trees.map((tree) => {
        const nodes = tree.l1 / BigInt(tree.rowWeight);
        const row = BigInt(weight);
        return { ...tree, rowWeight: weight, l1: nodes * row, l2Squared: nodes * row * row };
      }),
    });
    const text = "SELECT MEDIAN(age) FROM guests";
    expect(await says("derived", text, weighed(2 ** 85))).toBe("accepted");
    expect(await says("derived", text, weighed(2 ** 86))).toBe("counts of cells that may exceed 127 bits");
  });
});

describe("what one unit may contribute", () => {
  const contribution = (changed: object) => (question: AllocatedQuestion) => ({
    contribution: { ...question.contribution, ...changed },
  });
  const byTown = "SELECT town, COUNT(*) FROM visits GROUP BY town";

  it("is what the policy grants, or less, down to no group and one row", async () => {
    for (const changed of [
      { groups: 4, rows: 3 },
      { groups: 0, rows: 1 },
      { groups: 1, rows: 1 },
    ])
      expect(await says("bounded", byTown, contribution(changed))).toBe("accepted");
    for (const changed of [{ groups: 5 }, { rows: 4 }])
      expect(await says("bounded", byTown, contribution(changed))).toBe("more than the policy grants");
    expect(await says("bounded", byTown, contribution({ bound: "rows-before-filter" }))).toBe("accepted");
  });

  it("is one row of one group where nothing enforces it", async () => {
    const all = "SELECT COUNT(*) FROM guests";
    expect(await says("bounded", all, () => ({}))).toBe("accepted");
    expect(await says("bounded", all, contribution({ groups: 0 }))).toBe("accepted");
    expect(await says("bounded", byTown, contribution({ enforced: false, groups: 1, rows: 1 }))).toBe(
      "one row a unit that nothing enforces",
    );
  });
});

describe("sensitivities", () => {
  const measured = (changed: object) => (question: AllocatedQuestion) => ({
    measurements: question.measurements.map((each) => ({ ...each, ...changed })),
  });
  const all = "SELECT COUNT(*) FROM guests";

  it("are those of a vector of integers: ℓ1 ≤ ℓ2² ≤ ℓ1²", async () => {
    const wrong = "sensitivities that no integer vector has";
    for (const [l1, l2Squared, due] of [
      [3n, 3n, "accepted"],
      [3n, 9n, "accepted"],
      [0n, 0n, "accepted"],
      [3n, 2n, wrong],
      [3n, 10n, wrong],
      [-1n, 1n, "accepted"],
      [-1n, -1n, wrong],
    ] as const)
      expect(await says("derived", all, measured({ l1, l2Squared })), `${l1} ${l2Squared}`).toBe(due);
  });

  it("belong to measurements that something uses, which may move nothing", async () => {
    expect(await says("derived", all, measured({ magnitude: 0n }))).toBe("accepted");
    for (const changed of [{ magnitude: -1n }, { importance: -1 }, { importance: 0 }])
      expect(await says("derived", all, measured(changed))).toBe("a measurement that nothing uses");
  });
});

describe("trees and cells", () => {
  const median = "SELECT MEDIAN(age) FROM guests";
  const shaped =
    (branching: number, height: number, cellWidth = "1") =>
    (question: AllocatedQuestion) => ({
      trees: question.trees.map((tree) => {
        const weight = BigInt(tree.rowWeight);
        const l1 = BigInt(height) * weight;
        return { ...tree, branching, height, cellWidth, l1, l2Squared: l1 * weight };
      }),
    });

  it("are 2^16 at most, and hold every value", async () => {
    const large = "a tree of no shape, or too large a one";
    for (const [branching, height, due] of [
      [2, 16, "accepted"],
      [65_536, 1, "accepted"],
      [65_537, 1, large],
      [2, 17, large],
      [1, 4, large],
      [10, 1, "accepted"],
      [9, 1, "cells that do not hold every value"],
    ] as const)
      expect(await says("derived", median, shaped(branching, height)), `${branching}^${height}`).toBe(due);
    expect(await says("derived", median, shaped(5, 1, "2"))).toBe("accepted");
    expect(await says("derived", median, shaped(3, 1, "3"))).toBe("cells that do not hold every value");
  });

  it("of bounds that are learned are 256 at most, between two ends at least that increase", async () => {
    const auto = "SELECT SUM(fee, contribution_bounds_per_row => auto) FROM guests";
    const staged =
      (ends: readonly number[], bounds = [1, 2]) =>
      (question: AllocatedQuestion) => ({
        pricedStages: question.pricedStages.map((stage) => ({ ...stage, ends, bounds })),
      });
    const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
    // Each end above 0 is one test, and 0 two.
    expect(await says("allocated", auto, staged(upTo(255)))).toBe("accepted");
    expect(await says("allocated", auto, staged(upTo(256)))).toBe("more cells than one stage may have");
    expect(await says("allocated", auto, staged([0, ...upTo(254)]))).toBe(
      "more cells than one stage may have",
    );
    expect(await says("allocated", auto, staged([1, 2]))).toBe("accepted");
    for (const ends of [[1], [2, 1], [1, 1], [1, 2, 2]])
      expect(await says("allocated", auto, staged(ends))).toBe("ends that do not increase");
    for (const bounds of [
      [2, 2],
      [2, 1],
    ])
      expect(await says("allocated", auto, staged([1, 2], bounds))).toBe("learned bounds without an inside");
  });
});
