import { account, type Event, eventFromJson } from "@lethe/core";
import { openExact, SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { constantsOf } from "../problem/convex-problem.ts";
import { gradientSums } from "../rows/gradient-sums.ts";
import { sealedUnitRows } from "../rows/sealed-rows.ts";
import { hardLinear, logSlope } from "../testing/hard-linear.ts";
import { classes, leastMeanLoss, meanLoss, problems } from "../testing/samples.ts";
import { type DescentPlan, type DescentRequest, planDescent } from "./plan-descent.ts";
import { runDescent } from "./run-descent.ts";
import { theoremExcess, theoremSigma, theoremStepSize, theoremSteps } from "./theorem-setting.ts";

const request: DescentRequest = {
  problem: { loss: { name: "logistic" }, dimension: 4, features: { norm: "l2", bound: 1 }, radius: 3 },
  ...{ units: 2000, adjacency: "replace-one", epsilon: 0.9, delta: 1e-5, noise: "theorem" },
};
const refusal = (condition: string) =>
  expect.objectContaining({ code: "parameter.invalid", message: expect.stringContaining(condition) });

describe("the theorem's setting", () => {
  const asked = { units: 1000, dimension: 10, lipschitz: 1, diameter: 2, epsilon: 0.5, delta: 1e-5 };

  it("is C's, by hand", () => {
    expect(theoremSteps(asked)).toBe(68);
    expect(theoremSigma(asked, 100)).toBeCloseTo((4 * Math.sqrt(100 * Math.log(1e5))) / 500, 12);
    // 2T + 32·d·T²·ln(1/δ)/(εn)², under R/(L·√…).
    expect(theoremStepSize(asked, 100)).toBeCloseTo(
      2 / Math.sqrt(200 + (320 * 1e4 * Math.log(1e5)) / 250000),
      12,
    );
  });

  it("has the constant 7.348, which is R²/(2ηT) + η(L² + dσ²)/2 at the least T", () => {
    const { units, dimension, epsilon, delta } = asked;
    const scale = (2 * Math.sqrt(dimension * Math.log(1 / delta))) / (epsilon * units);
    expect(theoremExcess(asked) / scale).toBeCloseTo(7.348, 3);
    const least = (units * epsilon) ** 2 / (32 * dimension * Math.log(1 / delta));
    const [eta, sigma] = [theoremStepSize(asked, least), theoremSigma(asked, least)];
    expect(4 / (2 * eta * least) + (eta * (1 + dimension * sigma ** 2)) / 2).toBeCloseTo(
      theoremExcess(asked),
      10,
    );
    // More steps than that prove no less.
    for (const steps of [100, 1000, 1e5]) {
      const [step, noise] = [theoremStepSize(asked, steps), theoremSigma(asked, steps)];
      expect(4 / (2 * step * steps) + (step * (1 + dimension * noise ** 2)) / 2).toBeLessThanOrEqual(
        theoremExcess(asked),
      );
    }
  });
});

describe("a plan", () => {
  it("costs what core's accountant says of its event, at most what was asked, tight or not", () => {
    for (const noise of ["theorem", "tight"] as const)
      for (const adjacency of ["replace-one", "add-or-remove-one"] as const) {
        const { event, report } = planDescent({ ...request, noise, adjacency });
        const { upper } = account(event, { adjacency }).epsilon(1e-5);
        expect(report.price.epsilon).toBe(upper);
        if (noise === "tight") expect(upper).toBeCloseTo(0.9, 5);
        else expect(upper).toBeLessThan(0.6);
      }
  });

  it("prices the noise that is added to the sums: the mean's sigma is the theorem's, and T-fold Gaussian", () => {
    const { steps, noise, report, event } = planDescent(request);
    expect(noise.mechanism).toBe("rounded-gaussian@1");
    expect(report.sigma).toBeGreaterThan(report.theorem?.sigma ?? Number.NaN);
    expect(report.sigma).toBeLessThan((report.theorem?.sigma ?? Number.NaN) * 1.00001);
    const { lipschitz } = constantsOf(request.problem);
    const gaussian: Event = {
      ...{ kind: "gaussian", version: 1, sigma: String(report.sigma) },
      sensitivity: String((2 * lipschitz) / request.units),
    };
    const whole: Event = { kind: "repeat", version: 1, count: String(steps), event: gaussian };
    expect(report.price.epsilon).toBeCloseTo(account(whole).epsilon(1e-5).upper, 4);
    expect(eventFromJson(event)).toEqual(event);
  });

  it("is plain data: read from JSON it runs the same, and a changed one does not run", () => {
    const plan = planDescent({ ...request, noise: "tight", steps: 5 });
    const rows = classes(50, 4, 1);
    const read = JSON.parse(JSON.stringify(plan)) as DescentPlan;
    expect([...runDescent(read, rows, new SeededSource(1))]).toEqual([
      ...runDescent(plan, rows, new SeededSource(1)),
    ]);
    for (const changed of [
      { ...read, noise: { mechanism: "constant@1" } as const },
      { ...read, steps: 6 },
      { ...read, request: { ...read.request, epsilon: 0.1 } },
    ])
      expect(() => runDescent(changed, rows, new SeededSource(1))).toThrow(
        refusal("not what its request gives"),
      );
  });

  it("says where its bound is vacuous, by the declared bounds alone", () => {
    const { report } = planDescent({ ...request, units: 20, noise: "tight" });
    expect(report.bound.vacuous).toBe(true);
    expect(report.bound.withoutData).toBeLessThan(Math.LN2);
    expect(planDescent(request).report.bound.vacuous).toBe(false);
  });

  it.each<readonly [string, object]>([
    ["convex", { problem: { ...request.problem, loss: { name: "sigmoid" } } }],
    ["no gradients of a convex function", { problem: { ...request.problem, clip: 1 } }],
    ["radius must be declared", { problem: { ...request.problem, radius: 0 } }],
    ["radius must be declared", { problem: { ...request.problem, radius: undefined } }],
    ["features.norm must be l2 or max", { problem: { ...request.problem, features: undefined } }],
    ["features.bound must be declared", { problem: { ...request.problem, features: { norm: "l2" } } }],
    ["labels must be declared", { problem: { ...request.problem, loss: { name: "squared" } } }],
    ["Lipschitz in ℓ2", { problem: { ...request.problem, features: { norm: "max", bound: 1 } } }],
    ["dimension must be", { problem: { ...request.problem, dimension: 0 } }],
    ["T ≥ n²ε²/(32·d·ln(1/δ))", { units: 100000, steps: 100 }],
    ["ε below 1", { epsilon: 1 }],
    ["ln(1/δ) ≥ ε", { epsilon: 0.9, delta: 0.5 }],
    ["units must be declared", { units: undefined }],
    ["steps must be", { steps: 0 }],
    ["delta must be", { delta: 0 }],
    ["epsilon must be", { epsilon: -1 }],
    ["noise must be", { noise: "none" }],
    ["adjacency must be", { adjacency: "people" }],
  ])("is refused by name: %s", (condition, change) => {
    expect(() => planDescent({ ...request, ...change } as DescentRequest)).toThrow(refusal(condition));
  });

  it("names the theorem and a remedy where a condition of it fails", () => {
    expect(() => planDescent({ ...request, units: 100000, steps: 100 })).toThrow(
      expect.objectContaining({
        fix: expect.stringContaining("steps"),
        fields: expect.objectContaining({ name: "steps", theorem: "C Thm 2" }),
      }),
    );
  });
});

describe("a run", () => {
  it("meets the bound on the hard linear instance, with slopes −1 in n and ½ in d", () => {
    const [epsilon, delta] = [0.9, 1e-5];
    const mean = (units: number, dimension: number): number => {
      const { problem, rows, excess } = hardLinear({ units, dimension, epsilon, delta });
      const plan = planDescent({ ...request, problem, units, epsilon, delta });
      expect(plan.steps).toBeGreaterThanOrEqual(100);
      let total = 0;
      const runs = 12;
      for (let run = 0; run < runs; run += 1)
        total += excess(runDescent(plan, rows, new SeededSource(run + 1)));
      expect(total / runs).toBeLessThanOrEqual(plan.report.bound.proven);
      expect(plan.report.bound.proven).toBeLessThanOrEqual(plan.report.theorem?.excess ?? 0);
      return total / runs;
    };
    const inUnits = logSlope([1000, 2000, 4000].map((n) => [n, mean(n, 10)] as const));
    const inDimension = logSlope([10, 30, 90].map((d) => [d, mean(2000, d)] as const));
    expect(inUnits).toBeGreaterThan(-1.1);
    expect(inUnits).toBeLessThan(-0.9);
    expect(inDimension).toBeGreaterThan(0.45);
    expect(inDimension).toBeLessThan(0.55);
  });

  it("learns classes: below its bound, and below the loss of the weights 0", () => {
    const rows = classes(1000, 4, 3);
    const { loss } = constantsOf(request.problem);
    const plan = planDescent({ ...request, units: 1000, noise: "tight", epsilon: 1, steps: 100 });
    const best = leastMeanLoss(request.problem, rows);
    for (let seed = 1; seed <= 3; seed += 1) {
      const risk = meanLoss(runDescent(plan, rows, new SeededSource(seed)), rows, loss.value);
      expect(risk).toBeLessThan(Math.LN2 - 0.05);
      expect(risk - best).toBeLessThan(plan.report.bound.proven);
    }
  });

  it("replayed on neighbours, whose gradients differ by what is priced at every point of the path", () => {
    for (const problem of problems) {
      const a = { features: [0.2, 0.5, -0.1, 0.9, 0, 0], labels: [1, -1] };
      const b = { features: [0.2, 0.5, -0.1, -0.7, 0.6, 0.3], labels: [1, 1] };
      const plan = planDescent({ ...request, problem, units: 2, noise: "tight", epsilon: 5, steps: 60 });
      const path = [1, 2, 3].map((seed) => runDescent(plan, a, new SeededSource(seed)));
      const [one, two] = [
        gradientSums(problem, sealedUnitRows(problem, a)),
        gradientSums(problem, sealedUnitRows(problem, b)),
      ];
      for (const w of path) {
        const [ga, gb] = [openExact(one(w)), openExact(two(w))];
        const moved = ga.reduce((sum, x, j) => sum + (x - (gb[j] ?? Number.NaN)) ** 2, 0);
        expect(moved).toBeLessThanOrEqual((2 * 2 ** 20) ** 2);
      }
    }
  });

  it("never fails for what stands in rows, nor for fewer or more of them than declared", () => {
    const plan = planDescent({ ...request, noise: "tight", steps: 3 });
    for (const rows of [
      { features: [], labels: [] },
      { features: [Number.NaN, 1e308, -1e308, Number.POSITIVE_INFINITY], labels: [Number.NaN] },
      { features: new Float64Array(400).fill(1), labels: new Float64Array(100) },
      classes(2500, 4, 9),
    ])
      expect([...runDescent(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(true);
  });
});
