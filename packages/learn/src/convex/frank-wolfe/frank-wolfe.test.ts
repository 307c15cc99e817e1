import { parseRational, price, toDouble } from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { constantsOf } from "../problem/convex-problem.ts";
import { meanLoss, uniforms } from "../testing/samples.ts";
import { frankWolfeExcess, meanMiss } from "./frank-wolfe-excess.ts";
import { type FrankWolfeRequest, planFrankWolfe } from "./plan-frank-wolfe.ts";
import { runFrankWolfe } from "./run-frank-wolfe.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "squared" }, dimension: 40, features: { norm: "max", bound: 1 }, labels: 1, radius: 1 },
};
const request: FrankWolfeRequest = {
  ...{ problem, units: 4000, adjacency: "add-or-remove-one", epsilon: 1, delta: 1e-6 },
};

/** Signs, and a label that one feature of forty decides mostly: the best weights are near a vertex, and the least loss near 0. */
function sparse(n: number, seed: number) {
  const next = uniforms(seed);
  const features = Float64Array.from({ length: 40 * n }, () => (next() < 0.5 ? -1 : 1));
  const labels = Float64Array.from({ length: n }, (_, i) => 0.8 * (features[40 * i + 7] ?? 0));
  return { features, labels };
}

describe("the bounds", () => {
  it("of a choice: its mean miss is never above the bound, by the exact law", () => {
    const rate = 0.3;
    for (const candidates of [2, 5, 30])
      for (const gap of [0.5, 3, 10, 40]) {
        // One best score and the others a gap below.
        const weight = (candidates - 1) * Math.exp(-rate * gap);
        expect((gap * weight) / (1 + weight)).toBeLessThanOrEqual(meanMiss({ rate, candidates }));
      }
  });

  it("of steps 2/(t + 2): the recursion itself is never above it", () => {
    const [smoothness, radius, miss] = [1, 1, 0.05];
    const curvature = smoothness * (2 * radius) ** 2;
    let excess = 10;
    for (let t = 0; t < 500; t += 1) {
      const share = 2 / (t + 2);
      excess = (1 - share) * excess + share * miss + (share ** 2 * curvature) / 2;
      expect(excess).toBeLessThanOrEqual(
        frankWolfeExcess({ smoothness, radius, steps: t + 1, miss }) + 1e-12,
      );
    }
  });
});

describe("private Frank–Wolfe", () => {
  it("meets its bound, finds the feature that matters, and stays in the ball with few weights", () => {
    const plan = planFrankWolfe({ ...request, units: 1000, steps: 32 });
    const { loss } = constantsOf(problem);
    const rows = sparse(1000, 1);
    const nothing = meanLoss(new Float64Array(40), rows, loss.value);
    let total = 0;
    for (let seed = 1; seed <= 2; seed += 1) {
      const w = runFrankWolfe(plan, rows, new SeededSource(seed));
      expect(w.reduce((sum, x) => sum + Math.abs(x), 0)).toBeLessThanOrEqual(1 + 1e-12);
      expect(w.filter((x) => x !== 0).length).toBeLessThanOrEqual(plan.steps);
      expect(w.indexOf(Math.max(...w))).toBe(7);
      total += meanLoss(w, rows, loss.value);
    }
    // The least loss is 0.
    expect(total / 2).toBeLessThanOrEqual(plan.report.bound.proven);
    expect(total / 2).toBeLessThan(nothing / 2);
  });

  it("costs at most the ε asked for, under both adjacencies; and its bound grows slowly with d", () => {
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      const { report, event } = planFrankWolfe({ ...request, adjacency, steps: 16 });
      expect(report.price.epsilon).toBeLessThanOrEqual(1);
      expect(report.price.epsilon).toBeGreaterThan(0.8);
      // The ledger's exact price says the same.
      const charged = price(event, { measure: "approximate", delta: parseRational("1e-6") });
      expect(charged.measure === "approximate" && toDouble(charged.epsilon, "up") <= 1).toBe(true);
    }
    const at = (dimension: number): number =>
      planFrankWolfe({ ...request, problem: { ...problem, dimension }, steps: 16 }).report.bound.proven;
    expect(at(4000)).toBeLessThan(at(40) * 1.5);
    const [one, two] = [planFrankWolfe({ ...request, steps: 1 }), planFrankWolfe({ ...request, steps: 2 })];
    expect(one.report.price.epsilon).toBeLessThanOrEqual(1);
    expect(two.report.price.epsilon).toBeLessThanOrEqual(1);
  });

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() => planFrankWolfe({ ...request, ...change } as FrankWolfeRequest)).toThrow(words);
    refused({ problem: { ...problem, features: { norm: "l2", bound: 1 } } }, 'features bounded in "max"');
    refused({ problem: { ...problem, loss: { name: "hinge" } } }, "a smooth loss");
    refused({ steps: 0.5 }, "steps must be");
    refused({ adjacency: "people" }, "adjacency must be");
  });

  it("never fails for what stands in rows", () => {
    const plan = planFrankWolfe({ ...request, steps: 4 });
    for (const rows of [
      { features: [], labels: [] },
      { features: new Float64Array(40).fill(Number.NaN), labels: [Number.NaN] },
      { features: new Float64Array(80).fill(1e308), labels: [1e308, -1e308] },
    ])
      expect([...runFrankWolfe(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(true);
    expect(() => runFrankWolfe({ ...plan, rate: "1" }, sparse(2, 1), new SeededSource(1))).toThrow("plan");
  });
});
