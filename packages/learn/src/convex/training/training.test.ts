import { type Exact, seal, type UnitRows } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import type { ModelColumn } from "../../model/model.ts";
import type { ConvexModel } from "../model/convex-model.ts";
import { predictConvex } from "../model/predict-convex.ts";
import type { AlgorithmChoice, ConvexTask, PlacedChoice } from "../task/convex-task.ts";
import { planConvexTask } from "../task/plan-convex-task.ts";
import type { ConvexTraining } from "./convex-training.ts";
import { ownedRows } from "./owned-rows-of.ts";
import { trainSealedConvex } from "./train-sealed-convex.ts";

const age: ModelColumn = { kind: "number", name: "age", bounds: [0, 10], nullable: true };
const sector: ModelColumn = { kind: "category", name: "sector", categories: ["a", "b"], nullable: true };
const member: ModelColumn = { kind: "category", name: "member", categories: [false, true], nullable: true };
const wage: ModelColumn = { kind: "number", name: "wage", bounds: [20, 60], nullable: true };

const taskOf = (target: ModelColumn, algorithm: AlgorithmChoice): ConvexTask => ({
  ...{ kind: "convex", version: 1, source: "people", where: null, target, features: [age, sector] },
  ...{ units: 300, intercept: true, tuning: null },
  choices: [
    {
      choice: {
        ...{ loss: { name: target === member ? "logistic" : "squared" }, radius: target === member ? 6 : 1 },
        algorithm,
      },
      places: {},
    },
  ],
});
const algorithms: readonly AlgorithmChoice[] = [
  { name: "descent", noise: "tight", steps: 60 },
  { name: "localization" },
  { name: "one-pass" },
  { name: "output-perturbation" },
  { name: "frank-wolfe", steps: 16 },
];
const trainingOf = (target: ModelColumn, algorithm: AlgorithmChoice, epsilon = 400): ConvexTraining =>
  planConvexTask(taskOf(target, algorithm), {
    ...{ budget: { epsilon, delta: 1e-6 }, adjacency: "replace-one", rowsPerUnit: 3 },
  });

/** Members are older than 5; a wage is 30, and 20 more in sector b. A third of the units have two rows. */
const units = Array.from({ length: 300 }, (_, i) => ({
  age: i % 11,
  sector: i % 2,
  rows: i % 3 === 0 ? 2 : 1,
}));
const rows = units.flatMap((unit) => Array.from({ length: unit.rows }, () => unit));
const offsets = [0];
for (const unit of units) offsets.push((offsets.at(-1) ?? 0) + unit.rows);
const sealed = (targetOf: (row: (typeof units)[number]) => number): Exact<UnitRows> =>
  seal({
    columns: [
      Float64Array.from(rows, (row) => row.age),
      Float64Array.from(rows, (row) => row.sector),
      Float64Array.from(rows, targetOf),
    ],
    offsets: Uint32Array.from(offsets),
  });

describe.each(algorithms)("training by $name", (algorithm) => {
  it("learns classes at a high price", () => {
    const training = trainingOf(member, algorithm);
    const model = trainSealedConvex(
      training,
      sealed((row) => (row.age > 5 ? 1 : 0)),
      new SeededSource(1),
    );
    const right = units.filter(
      (unit) =>
        predictConvex(model, { age: unit.age, sector: "ab"[unit.sector] ?? null }).prediction ===
        unit.age > 5,
    ).length;
    expect(right / units.length).toBeGreaterThan(0.85);
    expect(model).toMatchObject({
      kind: "convex",
      algorithm: training.method.algorithm,
      event: training.event,
    });
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  it("learns a number at a high price", () => {
    const model = trainSealedConvex(
      trainingOf(wage, algorithm),
      sealed((row) => 30 + 20 * row.sector),
      new SeededSource(1),
    );
    const at = (of: string | null): number => Number(predictConvex(model, { age: 5, sector: of }).prediction);
    expect(at("b") - at("a")).toBeGreaterThan(5);
    expect(at("b") - at("a")).toBeLessThan(24);
  });

  it("takes whatever rows hold, and as many draws whatever it is", () => {
    const training = trainingOf(member, algorithm, 1);
    const wrong: readonly (readonly [string, UnitRows])[] = [
      ["no rows", { columns: [0, 0, 0].map(() => new Float64Array(0)), offsets: Uint32Array.of(0) }],
      ["targets that are NULL", open((row) => (row.rows === 2 ? Number.NaN : 1))],
      ["one class alone", open(() => 1)],
      ["no class", open(() => 7)],
      [
        "constant columns",
        { ...open(() => 1), columns: [1, 1, 1].map((x) => new Float64Array(rows.length).fill(x)) },
      ],
      [
        "NULL alone",
        { ...open(() => 1), columns: [0, 0, 0].map(() => new Float64Array(rows.length).fill(Number.NaN)) },
      ],
      [
        "infinities",
        {
          ...open(() => 1),
          columns: [0, 0, 1].map((x) => new Float64Array(rows.length).fill(x || Number.POSITIVE_INFINITY)),
        },
      ],
    ];
    for (const [, given] of wrong) {
      const model = trainSealedConvex(training, seal(given), new SeededSource(3));
      expect(model.weights.length).toBe(4);
      expect(model.weights.every(Number.isFinite)).toBe(true);
    }
  });
});

it("trains one of several candidates, and tells which", () => {
  const [first, second] = [4, 0.01].map((radius) => {
    const [placed] = taskOf(member, { name: "localization" }).choices;
    return { choice: { ...placed?.choice, radius }, places: {} } as PlacedChoice;
  });
  if (first === undefined || second === undefined) throw new Error("no choice");
  const task = {
    ...taskOf(member, { name: "localization" }),
    ...{ choices: [first, second], tuning: { tries: 6, scoreShare: 0.2 } },
  };
  const training = planConvexTask(task, {
    ...{ budget: { epsilon: 60, delta: 1e-6 }, adjacency: "replace-one", rowsPerUnit: 3 },
  });
  const model = trainSealedConvex(
    training,
    sealed((row) => (row.age > 5 ? 1 : 0)),
    new SeededSource(5),
  );
  expect(model.tuning?.candidate).toBe(0);
  expect(model).toMatchObject({
    algorithm: "localization@1",
    event: training.event,
    report: { diameter: 8 },
  });
  expect(training.event.kind).toBe("approximate");
  const none = { word: (): never => expect.unreachable() };
  const run = (changed: object) => () =>
    trainSealedConvex(
      { ...training, ...changed } as ConvexTraining,
      sealed(() => 1),
      none,
    );
  const { event } = trainingOf(member, { name: "localization" });
  expect(run({ event })).toThrow("plan it again");
  expect(run({ event: training.method.event })).toThrow("plan it again");
  const { method } = training;
  if (method.algorithm !== "tuning@1") throw new Error("no choice");
  const { score } = method.request;
  const problem = { ...score.problem, features: { norm: "l2" as const, bound: 9 } };
  const request = { ...method.request, score: { ...score, problem } };
  expect(run({ method: { ...method, request } })).toThrow("plan it again");
  expect(run({ method: { ...method, noise: { mechanism: "constant@1" } } })).toThrow("not what its request");
});

function open(targetOf: (row: (typeof units)[number]) => number): UnitRows {
  return {
    columns: [
      Float64Array.from(rows, (row) => row.age),
      Float64Array.from(rows, (row) => row.sector),
      Float64Array.from(rows, targetOf),
    ],
    offsets: Uint32Array.from(offsets),
  };
}

describe("rows for a training", () => {
  const training = trainingOf(member, { name: "descent", noise: "tight", steps: 1 });
  const of = (columns: readonly (readonly number[])[], ends: readonly number[]) =>
    ownedRows(training, {
      columns: columns.map((column) => Float64Array.from(column)),
      offsets: Uint32Array.from(ends),
    });

  it("leave out those without a target, and keep each unit's place", () => {
    const nan = Number.NaN;
    const {
      features,
      labels,
      offsets: ends,
    } = of(
      [
        [10, 0, 5, nan, 10],
        [0, 1, nan, 0, 1],
        [1, nan, nan, 0, nan],
      ],
      [0, 2, 3, 5],
    );
    // Unit 0 keeps its first row, unit 1 a row of nothing, unit 2 its first.
    expect(Array.from(ends ?? [])).toEqual([0, 1, 2, 3]);
    expect(Array.from(labels)).toEqual([1, -1, -1]);
    expect(Array.from(features)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0]);
  });

  it("scale a number that is the target, and count a missing one as nothing", () => {
    const number = { ...trainingOf(wage, { name: "descent", noise: "tight", steps: 1 }) };
    const { labels } = ownedRows(number, {
      columns: [
        Float64Array.of(1, 1, 1, 1),
        Float64Array.of(0, 0, 0, 0),
        Float64Array.of(20, 60, 1e9, Number.NaN),
      ],
      offsets: Uint32Array.of(0, 1, 2, 3, 4),
    });
    expect(Array.from(labels)).toEqual([-1, 1, 1, 0]);
  });
});

describe("a training that was changed", () => {
  const training = trainingOf(member, { name: "localization" });
  const none = { word: (): never => expect.unreachable() };
  const run =
    (changed: ConvexTraining): (() => ConvexModel) =>
    () =>
      trainSealedConvex(
        changed,
        sealed(() => 1),
        none,
      );

  it("is refused before a row is read", () => {
    expect(run({ ...training, features: [age] })).toThrow("plan it again");
    expect(run({ ...training, intercept: false })).toThrow("plan it again");
    expect(run({ ...training, event: { kind: "zcdp", version: 1, rho: "0", of: "x" } })).toThrow(
      "plan it again",
    );
    expect(
      run({ ...training, method: { ...training.method, noise: { mechanism: "constant@1" } } as never }),
    ).toThrow();
  });
});
