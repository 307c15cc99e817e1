import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { constantsOf } from "../problem/convex-problem.ts";
import { intoBall } from "../rows/ball.ts";
import { meanGradient } from "../rows/mean-gradient.ts";
import { unitRows } from "../rows/unit-rows.ts";
import { classes, distance, leastMeanLoss, meanLoss, smoothProblems, uniforms } from "../testing/samples.ts";
import { type OutputPerturbationRequest, planOutputPerturbation } from "./plan-output-perturbation.ts";
import { runOutputPerturbation } from "./run-output-perturbation.ts";
import { solverSteps } from "./solver-steps.ts";

const request: OutputPerturbationRequest = {
  problem: { loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 3 },
  ...{ units: 1000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 },
};

describe("the solver", () => {
  it("is within its proven distance of the minimum, on the worst quadratics", () => {
    for (const [convexity, smoothness] of [
      [0.1, 1],
      [0.5, 0.5],
      [0.01, 3],
    ] as const) {
      const { steps, stepSize, accuracy } = solverSteps({
        ...{ convexity, smoothness, distance: 2, within: 1e-3, slack: 0 },
      });
      for (const curvature of [convexity, smoothness]) {
        let w = 2;
        for (let i = 0; i < steps; i += 1) w -= stepSize * curvature * w;
        expect(Math.abs(w)).toBeLessThanOrEqual(accuracy);
      }
      expect(accuracy).toBeLessThanOrEqual(1e-3 * 1.000001);
    }
  });
});

describe("output perturbation", () => {
  /** The minimum of a plan's objective, by many more steps than planned. */
  const minimum = (at: OutputPerturbationRequest, rows: Parameters<typeof unitRows>[1], factor: number) => {
    const { ridge, solver } = planOutputPerturbation(at);
    const { radius } = constantsOf(at.problem);
    const order = Uint32Array.from({ length: at.units }, (_, i) => i);
    const gradient = meanGradient(at.problem, unitRows(at.problem, rows), { order, units: at.units });
    const [w, g] = [new Float64Array(3), new Float64Array(3)];
    for (let step = 0; step < solver.steps * factor; step += 1) {
      gradient(w, g);
      for (let j = 0; j < 3; j += 1)
        w[j] = (w[j] ?? 0) - solver.stepSize * ((g[j] ?? 0) + ridge * (w[j] ?? 0));
      intoBall(w, radius);
    }
    return w;
  };

  it.each(smoothProblems)("neighbours' solutions differ by no more than is priced: $loss.name", (problem) => {
    const at = { ...request, problem, units: 12, epsilon: 5 };
    const { sensitivity } = planOutputPerturbation(at).report;
    const next = uniforms(5);
    let furthest = 0;
    for (let trial = 0; trial < 40; trial += 1) {
      const rows = {
        features: Float64Array.from({ length: 36 }, (_, i) =>
          i < 3 ? (i === 0 ? 1 : 0) : (2 * next() - 1) / 3,
        ),
        labels: Float64Array.from({ length: 12 }, (_, i) => (i === 0 ? 1 : 2 * next() - 1)),
      };
      const other = { ...rows, labels: rows.labels.map((y, i) => (i === 0 ? -y : y)) };
      const [a, b] = [minimum(at, rows, 1), minimum(at, other, 1)];
      furthest = Math.max(furthest, distance(a, b));
    }
    expect(furthest).toBeLessThanOrEqual(sensitivity.computed);
    // 2L/(λn) is what one label can do where the loss is linear.
    if (problem.loss.name === "linear") expect(furthest).toBeGreaterThan(0.99 * sensitivity.exact);
  });

  it("is as near to the minimum as its plan says", () => {
    const at = { ...request, units: 60 };
    const rows = classes(60, 3, 2);
    const { accuracy } = planOutputPerturbation(at).solver;
    expect(distance(minimum(at, rows, 1), minimum(at, rows, 4))).toBeLessThanOrEqual(2 * accuracy);
  });

  it("meets its bound, and is below the loss of the weights 0", () => {
    const rows = classes(1000, 3, 8);
    const { loss } = constantsOf(request.problem);
    const plan = planOutputPerturbation(request);
    const best = leastMeanLoss(request.problem, rows);
    let total = 0;
    for (let seed = 1; seed <= 5; seed += 1)
      total += meanLoss(runOutputPerturbation(plan, rows, new SeededSource(seed)), rows, loss.value);
    expect(total / 5 - best).toBeLessThan(plan.report.bound.proven);
    expect(total / 5).toBeLessThan(Math.LN2 - 0.05);
  });

  it("costs one release, at most the ε asked for", () => {
    const { report } = planOutputPerturbation(request);
    expect(report.price.epsilon).toBeLessThanOrEqual(1);
    expect(report.price.epsilon).toBeGreaterThan(0.999);
    expect(report.sensitivity.computed).toBeGreaterThan(report.sensitivity.exact);
    expect(report.sensitivity.computed).toBeLessThan(report.sensitivity.exact * 1.01);
  });

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() => planOutputPerturbation({ ...request, ...change } as OutputPerturbationRequest)).toThrow(
        words,
      );
    refused({ ridge: 0 }, "λ > 0");
    refused({ ridge: -1 }, "λ > 0");
    refused({ problem: { ...request.problem, loss: { name: "hinge" } } }, "a smooth loss");
    refused({ adjacency: "add-or-remove-one" }, "a public number of units");
    refused({ ridge: 1e-12 }, "steps solve the problem");
  });

  it("never fails for what stands in rows, nor for fewer or more of them than declared", () => {
    const plan = planOutputPerturbation({ ...request, units: 40 });
    for (const rows of [
      { features: [], labels: [] },
      { features: [Number.NaN, 1e308, Number.POSITIVE_INFINITY], labels: [Number.NaN] },
      classes(60, 3, 1),
    ])
      expect([...runOutputPerturbation(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(true);
    expect(() => runOutputPerturbation({ ...plan, grid: 0 }, classes(9, 3, 1), new SeededSource(1))).toThrow(
      "plan",
    );
  });
});
