import { LetheError } from "@lethe/core";
import { noiseVariance } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import { asDraws, drawsFrom, SeededSource } from "@lethe/core/tape";
import { parseQuestion, resolveQuestion } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RowValues } from "../models/row-values.ts";
import { people } from "../testing/people.ts";
import type { BoostedModel } from "./model/boosted-model.ts";
import { boostingToJson, readBoosting } from "./model/boosting-json.ts";
import { boostingSql } from "./model/boosting-sql.ts";
import { editShape } from "./model/edit-shape.ts";
import { boostingScore, predictBoosting } from "./model/predict-boosting.ts";
import { shapeFigures } from "./model/shape-figures.ts";
import type { BoostedColumn } from "./plan/boosted-column.ts";
import type { BoostingDescription } from "./plan/boosting-description.ts";
import { columnsFromPolicy } from "./plan/columns-from-policy.ts";
import { planBoosting } from "./plan/plan-boosting.ts";
import { mergeCells } from "./training/merge-cells.ts";
import { trainBoosting } from "./training/train-boosting.ts";
import { trainingRows } from "./training/training-rows.ts";

const age: BoostedColumn = { kind: "number", name: "age", bounds: [18, 90], nullable: false };
const hours: BoostedColumn = { kind: "number", name: "hours", bounds: [0, 80], nullable: true };
const sector: BoostedColumn = {
  kind: "category",
  name: "sector",
  categories: ["trade", "it's", "other"],
  nullable: true,
};
const member = { kind: "category", name: "member", categories: [false, true], nullable: false } as const;
const wage = { kind: "number", name: "wage", bounds: [-10, 60], nullable: true } as const;

const classes: BoostingDescription = {
  target: member,
  features: [age, hours, sector],
  adjacency: "add-or-remove-one",
  budget: { epsilon: 1, delta: 1e-6 },
};
const regression: BoostingDescription = { ...classes, target: wage };

const uniforms = (seed: number): (() => number) => {
  const bits = new SeededSource(seed);
  return () => bits.word() / 2 ** 32;
};

/** People whose wage and chance of being a member have a bend in age, a step in hours, and hang on the sector. */
function invented(
  count: number,
  seed: number,
): readonly (RowValues & { readonly law: number; readonly chance: number })[] {
  const uniform = uniforms(seed);
  return Array.from({ length: count }, () => {
    const [years, worked, place] = [18 + 72 * uniform(), 80 * uniform(), Math.floor(3 * uniform())];
    const missing = uniform() < 0.1;
    const bend = 1 - ((years - 50) / 25) ** 2;
    const law = 20 + 8 * bend + (missing ? 5 : worked > 40 ? 10 : 0) + 5 * place;
    const chance = 1 / (1 + Math.exp(-(law - 30) / 4));
    return {
      age: years,
      hours: missing ? null : worked,
      sector: ["trade", "it's", "other"][place] ?? null,
      wage: law + 4 * (uniform() - 0.5),
      member: uniform() < chance,
      law,
      chance,
    };
  });
}

function learned(description: BoostingDescription, records: readonly RowValues[], seed = 1): BoostedModel {
  const plan = planBoosting(description);
  return trainBoosting(plan, trainingRows(plan, records), drawsFrom(new SeededSource(seed)));
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const train = invented(6000, 2);
const test = invented(2000, 3);

describe("what is learned", () => {
  it("at ε = 1 nearly the best accuracy, and without much noise the chances", () => {
    const best = meanOf(test.map(({ chance, member: is }) => (chance > 0.5 === is ? 1 : 0)));
    const accuracy = (model: BoostedModel): number =>
      meanOf(test.map((row) => (predictBoosting(model, row).prediction === row.member ? 1 : 0)));
    expect(accuracy(learned(classes, train))).toBeGreaterThan(best - 0.04);
    const free = learned({ ...classes, bins: 48, budget: { epsilon: 10_000, delta: 1e-6 } }, train);
    expect(accuracy(free)).toBeGreaterThan(best - 0.02);
    const off = test.map((row) => Math.abs(Number(predictBoosting(free, row).probability) - row.chance));
    expect(meanOf(off)).toBeLessThan(0.05);
  });

  it("a regression's error too", () => {
    const error = (model: BoostedModel): number =>
      Math.sqrt(meanOf(test.map((row) => (Number(predictBoosting(model, row).prediction) - row.law) ** 2)));
    const middle = meanOf(test.map(({ law }) => law));
    const ofConstant = Math.sqrt(meanOf(test.map(({ law }) => (law - middle) ** 2)));
    expect(error(learned(regression, train))).toBeLessThan(0.6 * ofConstant);
    const free = learned({ ...regression, budget: { epsilon: 10_000, delta: 1e-6 } }, train);
    expect(error(free)).toBeLessThan(0.2 * ofConstant);
  });

  it("units of many rows, cut together, are learned from as well", () => {
    const plan = planBoosting({ ...classes, rows: 3, clip: 2, budget: { epsilon: 3, delta: 1e-6 } });
    const rows = trainingRows(plan, train);
    const offsets = Array.from({ length: 2001 }, (_, unit) => 3 * unit);
    const model = trainBoosting(plan, { ...rows, offsets }, drawsFrom(new SeededSource(4)));
    const right = meanOf(test.map((row) => (predictBoosting(model, row).prediction === row.member ? 1 : 0)));
    expect(right).toBeGreaterThan(0.7);
  });

  it("the deviation of a bin is that of the noise which its sum drew", () => {
    const description: BoostingDescription = {
      ...{ ...classes, rounds: 1, rate: 0.5 },
      features: [{ ...age, cut: { by: "edges", edges: [50] } }],
    };
    const plan = planBoosting(description);
    const rows = trainingRows(plan, train);
    if (!("sigma" in plan.stepNoise)) throw new Error("no σ");
    const sigma = Math.sqrt(noiseVariance(plan.stepNoise));
    // Three cells of counts are opened before the three bins of the only step.
    const values = [0, BigInt(Math.round(sigma))].map((noise) => {
      let opened = 0;
      const draws = asDraws({
        noise: () => (exact) => exact + (opened++ === 3 ? BigInt(noise) : 0n),
        selection: () => () => false,
        tree: () => () => {
          throw new Error("no tree");
        },
      });
      const [shape] = trainBoosting(plan, rows, draws).shapes;
      return shape?.bins ?? [];
    });
    const difference = (bins: BoostedModel["shapes"][number]["bins"]): number =>
      elementAt(bins, 0).value - elementAt(bins, 1).value;
    const [still, moved] = [elementAt(values, 0), elementAt(values, 1)];
    expect(difference(moved) - difference(still)).toBeCloseTo(elementAt(still, 0).deviation, 6);
    expect(elementAt(still, 0).deviation).toBeGreaterThan(0.001);
  });
});

describe("wrong data make no error and no other price", () => {
  const tables: Record<string, readonly RowValues[]> = {
    "no rows": [],
    "one row": train.slice(0, 1),
    "one class": train.map((row) => ({ ...row, member: true, wage: 60 })),
    "no targets": train.map((row) => ({ ...row, member: null, wage: null })),
    "NaN and ±∞": train.map((row, i) => ({
      ...row,
      age: [Number.NaN, Infinity, -Infinity][i % 3] ?? 0,
      wage: Number.NaN,
    })),
    "constant columns": train.map((row) => ({ ...row, age: 40, hours: 0, sector: "trade" })),
    "unheard-of categories": train.map((row) => ({ ...row, sector: "elsewhere", member: i(row) })),
  };
  function i(row: RowValues): string {
    return String(row.age);
  }

  it.each(Object.entries(tables))("%s", (_, records) => {
    for (const description of [classes, regression])
      for (const epsilon of [0.01, 1, 1e6]) {
        const model = learned({ ...description, budget: { epsilon, delta: 1e-6 } }, records);
        expect(JSON.stringify(model)).not.toMatch(/NaN|Infinity|null/);
        expect(model.event).toEqual(planBoosting({ ...description, budget: { epsilon, delta: 1e-6 } }).event);
        for (const row of [...test.slice(0, 5), {}, { age: Number.NaN, sector: 7 }])
          for (const value of Object.values(predictBoosting(model, row)))
            if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
      }
  });

  it("rows without a target leave no trace", () => {
    const some = train.slice(0, 300);
    const more = [...some, ...some.map((row) => ({ ...row, member: null }))];
    expect(learned(classes, more)).toEqual(learned(classes, some));
  });
});

describe("wrong descriptions are refused by name", () => {
  const wrong: readonly (readonly [string, Partial<BoostingDescription>, RegExp])[] = [
    ["rounds", { rounds: 0 }, /rounds must be a whole number from 1/],
    ["bins", { bins: 1 }, /bins must be a whole number from 2/],
    ["rate", { rate: 1.5 }, /rate must be above 0 and at most 1/],
    ["clip", { clip: 0 }, /clip must be above 0/],
    ["NaN", { clip: Number.NaN }, /clip must be above 0/],
    ["shrinkage", { shrinkage: 0 }, /shrinkage must be above 0/],
    ["share", { countShare: 1 }, /countShare must be above 0 and below 1/],
    ["no feature", { features: [] }, /number of features/],
    ["a column twice", { features: [age, age] }, /columns that are named once/],
    ["the target among them", { features: [age, member] }, /columns that are named once/],
    ["bounds", { features: [{ ...age, bounds: [5, 5] }] }, /bounds of age must be finite/],
    ["three classes", { target: { ...member, categories: [1, 2, 3] } }, /learn each against the others/],
    [
      "edges",
      { features: [{ ...age, cut: { by: "edges", edges: [30, 30] } }] },
      /edges of age must be increasing/,
    ],
    ["edges outside", { features: [{ ...age, cut: { by: "edges", edges: [18] } }] }, /between 18 and 90/],
    ["adjacency", { adjacency: "other" as never }, /adjacency must be/],
    ["ε", { budget: { epsilon: 0, delta: 1e-6 } }, /epsilon|budget/],
  ];
  it.each(wrong)("%s", (_, change, message) => {
    const act = (): unknown => planBoosting({ ...classes, ...change });
    expect(act).toThrow(message);
    expect(act).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });

  it("lists that are no table", () => {
    const plan = planBoosting({ ...classes, features: [age] });
    const draws = drawsFrom(new SeededSource(1));
    for (const [rows, message] of [
      [{ features: [], target: [] }, /number of feature lists must be 1/],
      [{ features: [[1]], target: [] }, /as long as the target/],
      [{ features: [[1, 2]], target: [0, 1], offsets: [0, 1] }, /offsets/],
      [{ features: [[1, 2]], target: [0, 1], offsets: [0, 2, 1, 2] }, /offsets/],
    ] as const)
      expect(() => trainBoosting(plan, rows, draws)).toThrow(message);
  });
});

describe("cells are merged by noisy counts alone", () => {
  const column = {
    kind: "number",
    name: "x",
    bounds: [0, 9],
    edges: [1, 2, 3, 4, 5, 6, 7, 8],
    merged: true,
  } as const;

  it("a heavy cell is alone, the others share what is left in runs of about equal weight", () => {
    const counts = Float64Array.of(10, 10, 400, 20, 20, 10, 10, 10, 10, 3);
    const { binOfCell, weights } = mergeCells(column, counts, 1, 4);
    expect([...binOfCell]).toEqual([0, 0, 1, 2, 2, 3, 3, 3, 3, 4]);
    expect([...weights]).toEqual([20, 400, 40, 40, 3]);
  });

  it("no bin is lighter than its noise, whatever the counts; runs are contiguous, and the last cell stays alone", () => {
    const counts = fc.array(fc.double({ min: -50, max: 500, noNaN: true }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(
        counts,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
        (noisy, deviation, bins) => {
          const { binOfCell, weights, least } = mergeCells(column, Float64Array.from(noisy), deviation, bins);
          const cells = [...binOfCell];
          for (const [cell, bin] of cells.entries())
            if (cell > 0) expect([0, 1]).toContain(bin - elementAt(cells, cell - 1));
          expect(cells.filter((bin) => bin === weights.length - 1)).toHaveLength(1);
          const own = [...weights].slice(0, -1);
          if (own.length > 1) expect(Math.min(...own)).toBeGreaterThanOrEqual(least - 1e-9);
        },
      ),
    );
  });

  it("rare categories share a bin", () => {
    const states = { kind: "category", name: "state", categories: ["a", "b", "c", "d"] } as const;
    const { binOfCell } = mergeCells(states, Float64Array.of(3, 90, -4, 60, 0), 2, 16);
    expect([...binOfCell]).toEqual([2, 0, 2, 1, 3]);
  });
});

describe("a model", () => {
  const model = learned(classes, train);
  const regressed = learned({ ...regression, features: [age, sector] }, train);

  it("comes back from its JSON", () => {
    for (const one of [model, regressed]) expect(readBoosting(boostingToJson(one))).toEqual(one);
  });

  const broken: readonly (readonly [string, (json: Record<string, never>) => unknown, RegExp])[] = [
    ["an unknown key", (json) => ({ ...json, extra: 1 }), /unknown key "extra"/],
    ["another version", (json) => ({ ...json, version: 2 }), /version/],
    ["a missing shape's bin", (json) => changed(json, { bins: [] }), /bins than edges/],
    [
      "edges out of order",
      (json) => changed(json, { edges: [80, 20], bins: threeBins }),
      /edges that do not increase/,
    ],
    [
      "a value that is no number",
      (json) => changed(json, { missing: { value: "1", deviation: 0, weight: 0 } }),
      /finite number/,
    ],
    ["an event of no kind", (json) => ({ ...json, event: { kind: "free", version: 1 } }), /event/],
    [
      "a shape twice",
      (json) => ({ ...json, shapes: [json.shapes?.[0], json.shapes?.[0]] }),
      /one shape a column|name a column twice/,
    ],
  ];
  const threeBins = Array.from({ length: 3 }, () => ({ value: 0, deviation: 0, weight: 0 }));
  function changed(json: Record<string, never>, change: object): object {
    const shapes = json.shapes as unknown as readonly object[];
    return { ...json, shapes: shapes.map((shape, at) => (at === 0 ? { ...shape, ...change } : shape)) };
  }

  it.each(broken)("is refused with %s", (_, breaking, message) => {
    const text = JSON.stringify(breaking(JSON.parse(boostingToJson(model))));
    expect(() => readBoosting(text)).toThrow(message);
    expect(() => readBoosting(text)).toThrow(LetheError);
  });

  it("predicts otherwise once a shape was edited, and there alone", () => {
    const edited = editShape(model, "age", (value, { from }) =>
      from !== null && from >= 50 ? value + 7 : value,
    );
    const [shape] = model.shapes;
    if (shape?.kind !== "number") throw new Error("no edges");
    const first = shape.edges.find((edge) => edge >= 50) ?? 90;
    for (const row of test.slice(0, 200)) {
      const moved = boostingScore(edited, row) - boostingScore(model, row);
      expect(moved).toBeCloseTo(Number(row.age) >= first ? 7 : 0, 9);
    }
    expect(boostingSql(edited)).not.toBe(boostingSql(model));
    expect(readBoosting(boostingToJson(edited))).toEqual(edited);
    const none = editShape(model, "sector", (value, { missing }) => (missing ? 0 : value));
    expect(boostingScore(none, { sector: null }) - boostingScore(none, {})).toBe(0);
    expect(none.shapes[2]?.missing).toMatchObject({ value: 0 });
    expect(() => editShape(model, "wage", (value) => value)).toThrow(/one of age, hours, sector/);
    expect(() => editShape(model, "age", () => Number.NaN)).toThrow(/finite/);
  });

  it("is drawn with an interval for each bin, which noise alone makes wide", () => {
    const figures = shapeFigures(model, 0.95);
    expect(figures.map(({ title }) => title)).toEqual([
      "What age adds",
      "What hours adds",
      "What sector adds",
    ]);
    const [ages, , sectors] = figures;
    const [line] = ages?.lines ?? [];
    const shape = model.shapes[0];
    expect(line?.points).toHaveLength(2 * (shape?.bins.length ?? 0));
    expect(line?.points[0]).toMatchObject({ x: 18, value: shape?.bins[0]?.value });
    expect(line?.points.at(-1)?.x).toBe(90);
    const [first] = line?.points ?? [];
    expect((first?.upper ?? 0) - (first?.lower ?? 0)).toBeCloseTo(
      2 * 1.959964 * (shape?.bins[0]?.deviation ?? 0),
      5,
    );
    expect(sectors?.x.ticks).toEqual(["trade", "it's", "other", "no value"]);
    expect(() => shapeFigures(model, 1)).toThrow(/confidence/);
  });

  it("has shapes that are 0 in the mean over their noisy weights", () => {
    for (const { bins, missing } of [...model.shapes, ...regressed.shapes]) {
      const all = [...bins, missing].filter(({ deviation }) => deviation > 0);
      const total = all.reduce((sum, { value, weight }) => sum + value * weight, 0);
      expect(Math.abs(total)).toBeLessThan(1e-6 * train.length);
    }
  });

  it("is a question of Lethe's as SQL, over the policy's own columns", async () => {
    const [target, ...features] = await columnsFromPolicy(
      "people",
      ["member", "age", "hours", "sector", "level"],
      people,
    );
    if (target?.kind !== "category") throw new Error("no classes");
    const own = learned({ ...classes, target, features }, train);
    const text = `SELECT AVG(probability) AS mean FROM (SELECT ${boostingSql(own)} FROM people) AS scored`;
    const { aggregates } = resolveQuestion(await parseQuestion(text), people);
    const [mean] = aggregates;
    if (mean?.kind !== "avg" || mean.argument.domain.type !== "number") throw new Error("no mean");
    const [lo, hi] = mean.argument.domain.bounds ?? [-1, 2];
    expect(lo).toBeGreaterThan(0);
    expect(hi).toBeLessThan(1);
    expect(mean.argument.domain.nullable).toBe(false);
  });
});

it("more budget buys less noise in the shapes, as its price says", () => {
  const deviations = [1, 4].map((epsilon) => {
    const [shape] = learned(
      { ...classes, features: [{ ...age, cut: { by: "width", bins: 4 } }], budget: { muSquared: epsilon } },
      train,
    ).shapes;
    return elementAt(shape?.bins ?? [], 0).deviation;
  });
  expect(elementAt(deviations, 0) / elementAt(deviations, 1)).toBeGreaterThan(1.8);
});
