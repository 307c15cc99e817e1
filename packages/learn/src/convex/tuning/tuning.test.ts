import { account, parseRational, price, ratio, toDouble } from "@lethe/core";
import { openExact, SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planDescent } from "../descent/plan-descent.ts";
import { planOutputPerturbation } from "../output-perturbation/plan-output-perturbation.ts";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { unitRows } from "../rows/unit-rows.ts";
import { classes, problems } from "../testing/samples.ts";
import { gainSum, mostGain } from "./gain-sum.ts";
import { planTuning, type TuningRequest } from "./plan-tuning.ts";
import { runTuning } from "./run-tuning.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 4 },
};
const base = { problem, units: 500, adjacency: "replace-one", epsilon: 0.5, delta: 1e-7 } as const;
const wide = planDescent({ ...base, noise: "tight", steps: 20 });
const narrow = planDescent({ ...base, problem: { ...problem, radius: 0.01 }, noise: "tight", steps: 20 });
const request: TuningRequest = {
  candidates: [narrow, wide],
  score: { problem, rho: 0.125 },
  ...{ trials: { shape: "1", stop: "1/8" }, delta: 1e-6 },
};

describe("gains", () => {
  const number = fc.oneof(fc.double({ min: -2, max: 2 }), fc.constantFrom(Number.NaN, 1e300, -1e300));
  it.each(problems)("move by at most 2^10 when a unit comes, for weights of any norm: $loss.name", (each) => {
    fc.assert(
      fc.property(
        fc.array(fc.array(number, { minLength: 4, maxLength: 4 }), { maxLength: 8 }),
        fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (rows, weights) => {
          const sum = (some: typeof rows): number =>
            openExact(
              gainSum(
                each,
                unitRows(each, {
                  features: some.flatMap((row) => row.slice(0, 3)),
                  labels: some.map((row) => row[3] ?? 0),
                }),
                Float64Array.from(weights),
              ),
            )[0] ?? Number.NaN;
          const moved = sum(rows) - sum(rows.slice(1));
          expect(Number.isInteger(moved)).toBe(true);
          expect(Math.abs(moved)).toBeLessThanOrEqual(mostGain);
        },
      ),
    );
  });
});

describe("tuning", () => {
  const tuning = planTuning(request);

  it("is one event: a choice of the best of tries, each a plan drawn by coins and a noisy score", () => {
    const { event, noise, report } = tuning;
    expect(event).toEqual({
      ...{ kind: "repeat-and-select", version: 1 },
      trials: { law: "negative-binomial", shape: "1", stop: "1/8" },
      event: {
        ...{ kind: "compose", version: 1 },
        events: [
          {
            ...{ kind: "mix", version: 1 },
            parts: [
              { weight: "1/2", event: narrow.event },
              { weight: "1/2", event: wide.event },
            ],
          },
          { kind: "rounded-gaussian", version: 1, sigma: "4096", l2Squared: String(2 ** 22) },
        ],
      },
    });
    expect(noise).toEqual({ mechanism: "rounded-gaussian@1", sigma: "4096" });
    const renyi = account(event, { adjacency: "replace-one", representations: ["renyi"] });
    expect(report.price.epsilon).toBeLessThan(renyi.epsilon(1e-6).upper);
    expect(report.price.epsilon).toBeGreaterThan(report.oneTry);
    const charged = price(tuning.charge, { measure: "approximate", delta: parseRational("1e-6") });
    expect(toDouble(charged.measure === "approximate" ? charged.epsilon : ratio(0n), "up")).toBeCloseTo(
      report.price.epsilon,
      9,
    );
    expect(report.price.epsilon).toBeLessThan(3 * report.oneTry);
  });

  it("finds the plan that learns, mostly, and its weights are those of that plan", () => {
    const rows = classes(500, 3, 5);
    let wins = 0;
    for (let seed = 1; seed <= 3; seed += 1) {
      const { candidate, weights, score } = runTuning(tuning, rows, new SeededSource(seed));
      if (candidate === 1) wins += 1;
      else expect(Math.hypot(...weights)).toBeLessThanOrEqual(0.0100001);
      expect(Number.isInteger(score)).toBe(true);
    }
    expect(wins).toBeGreaterThanOrEqual(2);
  });

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() => planTuning({ ...request, ...change } as TuningRequest)).toThrow(words);
    refused({ candidates: [] }, "at least one plan");
    const other = planDescent({ ...base, adjacency: "add-or-remove-one", noise: "tight", steps: 2 });
    refused({ candidates: [wide, other] }, "plans of one adjacency");
    refused({ candidates: [wide, planOutputPerturbation({ ...base, units: 900 })] }, "plans of one units");
    refused({ candidates: [{ ...wide, steps: 1 }] }, "not what its request gives");
    refused({ candidates: [{ ...wide, algorithm: "grid-search" }] }, "algorithm must be");
    refused({ score: { problem: { ...problem, dimension: 4 }, rho: 1 } }, "that of the candidates");
    refused({ score: { problem, rho: 0 } }, "rho");
    refused({ trials: { shape: "-2", stop: "1/8" } }, "shape");
  });
});
