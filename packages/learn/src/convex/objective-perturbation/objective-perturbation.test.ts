import { parseRational, ratio } from "@lethe/core";
import { toDouble } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { logistic } from "../losses/logistic.ts";
import { constantsOf } from "../problem/convex-problem.ts";
import { classes, leastMeanLoss, meanLoss } from "../testing/samples.ts";
import { perturbationSigma } from "./objective-perturbation-price.ts";
import {
  type ObjectivePerturbationRequest,
  planObjectivePerturbation,
} from "./plan-objective-perturbation.ts";
import { runObjectivePerturbation } from "./run-objective-perturbation.ts";

const request: ObjectivePerturbationRequest = {
  problem: { loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 3 },
  ...{ units: 500, adjacency: "replace-one", epsilon: 1, delta: 1e-6 },
};

/** The δ at ε of the exact minimum in one dimension, by its density p(θ) = φ(b(θ)/σ)·|b′(θ)|/σ with b(θ) = −Σ f′(θ) − Λθ. */
function exactDelta(
  one: readonly (readonly [number, number])[],
  two: readonly (readonly [number, number])[],
  {
    sigma,
    convexity,
    epsilon,
  }: { readonly sigma: number; readonly convexity: number; readonly epsilon: number },
): number {
  const density = (rows: readonly (readonly [number, number])[], theta: number): number => {
    const sum = (of: (x: number, y: number) => number): number =>
      rows.reduce((total, [x, y]) => total + of(x, y), 0);
    const b = -sum((x, y) => x * logistic.slope(theta * x, y)) - convexity * theta;
    const second = sum((x) => {
      const share = 1 / (1 + Math.exp(-theta * x));
      return x * x * share * (1 - share);
    });
    return (Math.exp(-((b / sigma) ** 2) / 2) / Math.sqrt(2 * Math.PI) / sigma) * (second + convexity);
  };
  const range = (10 * sigma) / convexity;
  const cells = 40_000;
  let delta = 0;
  for (let i = 0; i < cells; i += 1) {
    const theta = -range + (2 * range * (i + 0.5)) / cells;
    delta +=
      Math.max(0, density(one, theta) - Math.exp(epsilon) * density(two, theta)) * ((2 * range) / cells);
  }
  return delta;
}

const neighbours: readonly (readonly (readonly (readonly [number, number])[])[])[] = [
  [[[1, 1]], [[1, -1]]],
  [[[1, 1]], [[0, 1]]],
  [[[0, 1]], [[1, 1]]],
  [
    [
      [1, 1],
      [0.5, -1],
      [1, -1],
    ],
    [
      [-1, 1],
      [0.5, -1],
      [1, -1],
    ],
  ],
];

describe("the price of the exact minimum", () => {
  it.each([
    [1, "0.01", 2],
    [1, "0.001", 0.5],
    [0.5, "0.01", 5],
  ])(
    "ε %d, δ %s, Λ %d: covers the δ of every pair, by quadrature of the density",
    (epsilon, delta, convexity) => {
      const sigma = perturbationSigma({
        ...{ lipschitz: 1, smoothness: 0.25, convexity },
        ...{ epsilon: parseRational(String(epsilon)), delta: parseRational(delta) },
      });
      let worst = 0;
      for (const [one = [], two = []] of neighbours) {
        worst = Math.max(worst, exactDelta(one, two, { sigma, convexity, epsilon }));
      }
      expect(worst).toBeLessThanOrEqual(Number(delta));
      // Not idle: noise of a sixth of the size would not do.
      const [one = [], two = []] = neighbours[0] ?? [];
      expect(exactDelta(one, two, { sigma: sigma / 6, convexity, epsilon })).toBeGreaterThan(Number(delta));
    },
  );

  it("pays for the ridge: ln(1 + β/Λ) is what a change of curvature alone can tell", () => {
    // A row at 0 against one at 1 where the noise is large: the ratio of densities at θ = 0 is 1 + β/Λ.
    const [sigma, convexity] = [1e4, 0.5];
    const ratioAt0 = (0.25 + convexity) / convexity;
    const told = exactDelta([[1, 1]], [[0, 1]], { sigma, convexity, epsilon: 0 });
    expect(told).toBeGreaterThan(0);
    const covered = { sigma, convexity, epsilon: Math.log(ratioAt0) };
    expect(exactDelta([[1, 1]], [[0, 1]], covered)).toBeLessThan(told / 100);
  });

  it("is refused where the ridge leaves nothing of ε", () => {
    const run = { lipschitz: 1, smoothness: 1, epsilon: ratio(1n, 10n), delta: ratio(1n, 1000n) };
    expect(() => perturbationSigma({ ...run, convexity: 1 })).toThrow("ln(1 + β/Λ) is below ε");
    expect(() => perturbationSigma({ ...run, convexity: 100, delta: ratio(99n, 100n) })).toThrow("(2L/σ)²/2");
  });
});

describe("objective perturbation", () => {
  it("meets its bound on average, and is below the loss of the weights 0", () => {
    const rows = classes(500, 3, 8);
    const { loss } = constantsOf(request.problem);
    const plan = planObjectivePerturbation(request);
    const best = leastMeanLoss(request.problem, rows);
    let total = 0;
    const runs = 4;
    for (let seed = 1; seed <= runs; seed += 1)
      total += meanLoss(runObjectivePerturbation(plan, rows, new SeededSource(seed)), rows, loss.value);
    expect(total / runs - best).toBeLessThan(plan.report.bound.proven);
    expect(total / runs).toBeLessThan(Math.LN2 - 0.05);
  });

  it("costs both noises together, at most the ε asked for", () => {
    const { event, report } = planObjectivePerturbation(request);
    expect(event.kind).toBe("compose");
    expect(report.price.epsilon).toBeLessThanOrEqual(1);
    expect(report.price.epsilon).toBeGreaterThan(0.95);
  });

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() =>
        planObjectivePerturbation({ ...request, ...change } as ObjectivePerturbationRequest),
      ).toThrow(words);
    const lossed = (loss: object) => ({ problem: { ...request.problem, labels: 1, loss } });
    refused(lossed({ name: "squared" }), "Lipschitz for all weights");
    refused(lossed({ name: "huber", corner: 1 }), "a continuous second derivative");
    refused(lossed({ name: "hinge" }), "a smooth loss");
    refused({ adjacency: "add-or-remove-one" }, "a public number of units");
  });

  it("never fails for what stands in rows, nor for fewer or more of them than declared", () => {
    const plan = planObjectivePerturbation({ ...request, units: 40 });
    for (const rows of [
      { features: [], labels: [] },
      { features: [Number.NaN, 1e308, Number.POSITIVE_INFINITY], labels: [Number.NaN] },
      classes(60, 3, 1),
    ])
      expect([...runObjectivePerturbation(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(
        true,
      );
    expect(() =>
      runObjectivePerturbation({ ...plan, grid: 0 }, classes(9, 3, 1), new SeededSource(1)),
    ).toThrow("plan");
  });
});

describe("the noise of the objective", () => {
  /** E(1 − e^(ε − loss))₊ of a Gaussian mechanism, loss = mN + m²/2, by the trapezium rule over N. */
  const gaussianDelta = (m: number, epsilon: number): number => {
    const [steps, end] = [200_000, 14];
    const width = (2 * end) / steps;
    let total = 0;
    for (let i = 0; i <= steps; i += 1) {
      const z = i * width - end;
      const told = -Math.expm1(epsilon - m * z - m ** 2 / 2);
      if (told > 0) total += told * Math.exp((-z * z) / 2) * width;
    }
    return total / Math.sqrt(2 * Math.PI);
  };

  it("meets 4·δ_G(2L/σ, ε − ln(1 + β/Λ)) = δ, by quadrature", () => {
    for (const [lipschitz, smoothness, convexity, epsilon, delta] of [
      [1, 0.25, 1, "1", "1e-6"],
      [3, 2, 40, "1/2", "1e-5"],
      [0.5, 0, 1, "2", "1e-4"],
    ] as const) {
      const sigma = perturbationSigma({
        ...{ lipschitz, smoothness, convexity, epsilon: parseRational(epsilon), delta: parseRational(delta) },
      });
      const left = toDouble(parseRational(epsilon), "down") - Math.log(1 + smoothness / convexity);
      const due = 4 * gaussianDelta((2 * lipschitz) / sigma, left);
      expect(due / Number(delta)).toBeLessThan(1.0001);
      expect(due / Number(delta)).toBeGreaterThan(0.99);
    }
  });
});
