import { Exact, seal } from "@lethe/core/mechanisms";
import { RecordingSource, SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import {
  type ConvexPlan,
  type ConvexProblem,
  type OwnedRows,
  planDescent,
  planFrankWolfe,
  planLocalization,
  planObjectivePerturbation,
  planOnePass,
  planOutputPerturbation,
  planTuning,
  runConvex,
  runTuning,
} from "../index.ts";
import { classes } from "../testing/samples.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 2 },
};
const base = { problem, units: 120, adjacency: "replace-one", epsilon: 2, delta: 1e-6 } as const;
const plans: readonly ConvexPlan[] = [
  planDescent({ ...base, noise: "tight", steps: 5 }),
  planLocalization(base),
  planOnePass(base),
  planOutputPerturbation(base),
  planObjectivePerturbation(base),
  planFrankWolfe({ ...base, problem: { ...problem, features: { norm: "max", bound: 1 } }, steps: 4 }),
];
const tuning = planTuning({
  candidates: plans.slice(0, 2),
  score: { problem, rho: 0.1 },
  ...{ trials: { shape: "1", stop: "1/3" }, delta: 1e-6 },
});
const rows: OwnedRows = {
  ...classes(240, 3, 5),
  offsets: Uint32Array.from({ length: 121 }, (_, u) => 2 * u),
};

describe.each(plans.map((plan) => [plan.algorithm, plan] as const))("rows of %s", (_, plan) => {
  it("give the same sealed as in the clear, with the same coins, and are left as they were", () => {
    const sealed = seal(rows);
    const [one, two] = [new RecordingSource(new SeededSource(3)), new RecordingSource(new SeededSource(3))];
    const weights = runConvex(plan, sealed, one);
    expect(weights).toEqual(runConvex(plan, rows, two));
    expect(one.words).toEqual(two.words);
    expect(runConvex(plan, sealed, new SeededSource(3))).toEqual(weights);
  });

  it("fail by one constant where they are sealed and no table, and by name in the clear", () => {
    const none = { word: (): never => expect.unreachable() };
    const wrong = { features: [1, 2], labels: [1] };
    expect(() => runConvex(plan, seal(wrong), none)).toThrow(
      expect.objectContaining({ code: "internal.invariant", fields: {} }),
    );
    expect(() => runConvex(plan, wrong, none)).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });

  it("stay within a constant even where reading them fails", () => {
    const labels = new Proxy([1], {
      get: (of, key) => {
        if (key === "0") throw new Error("the label was 1");
        return Reflect.get(of, key);
      },
    });
    const failing = seal({ features: [1, 2, 3], labels });
    expect(() => runConvex(plan, failing, new SeededSource(1))).toThrow(
      expect.objectContaining({ message: "a computation with sealed values failed" }),
    );
  });
});

it("what leaves are whole steps of a public grid, whatever the rows hold: nothing of a point shows between two steps", () => {
  const wide = { ...base, problem: { ...problem, radius: 50 }, epsilon: 30 };
  const local = planLocalization(wide);
  const output = planOutputPerturbation({ ...wide, ridge: 0.05 });
  const objective = planObjectivePerturbation(base);
  for (const [plan, grid] of [
    [local, local.phases.at(-1)?.grid ?? Number.NaN],
    [output, output.grid],
    [objective, objective.grid],
  ] as const)
    for (const seed of [1, 2, 3]) {
      const weights = runConvex(plan, rows, new SeededSource(seed));
      // The ball is so wide that nothing is moved into it.
      expect(Math.hypot(...weights)).toBeLessThan(49);
      for (const w of weights) expect(Math.round(w / grid) * grid).toBe(w);
    }
});

it("a choice among plans takes sealed rows as it takes its owner's", () => {
  const tuned = runTuning(tuning, seal(rows), new SeededSource(2));
  expect(tuned).toEqual(runTuning(tuning, rows, new SeededSource(2)));
  expect(Object.values(tuned).some((value) => value instanceof Exact)).toBe(false);
});
