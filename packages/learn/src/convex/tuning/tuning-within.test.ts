import { account, parseRational, price } from "@lethe/core";
import { compare, toDouble } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { planDescent } from "../descent/plan-descent.ts";
import { planLocalization } from "../localization/plan-localization.ts";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { classes } from "../testing/samples.ts";
import { runTuning } from "./run-tuning.ts";
import { type TuningSetting, tuningWithin } from "./tuning-within.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 4 },
};
const base = { problem, units: 500, adjacency: "replace-one" } as const;
const setting: TuningSetting = {
  plansAt: (budget) => [
    planDescent({ ...base, ...budget, noise: "tight", steps: 20, problem: { ...problem, radius: 0.01 } }),
    planLocalization({ ...base, ...budget }),
  ],
  ...{ problem, tries: 4, scoreShare: 0.25 },
};

describe("a tuning within a budget", () => {
  const tuning = tuningWithin({ epsilon: 2, delta: 1e-6 }, setting);

  it("costs nearly the ε that was asked for, certified, and no more", () => {
    const { event, charge, report } = tuning;
    const certified = account(event, { adjacency: "replace-one", accuracy: 1e-3 }).epsilon(1e-6).upper;
    expect(report.price.epsilon).toBeGreaterThan(1.9);
    expect(report.price.epsilon).toBeLessThanOrEqual(2);
    expect(certified).toBeLessThanOrEqual(report.price.epsilon * (1 + 1e-9));
    const charged = price(charge, { measure: "approximate", delta: parseRational("1e-6") });
    if (charged.measure !== "approximate") throw new Error("another measure");
    expect(compare(charged.epsilon, parseRational("2"))).toBeLessThanOrEqual(0);
    expect(toDouble(charged.epsilon, "up")).toBeGreaterThanOrEqual(report.price.epsilon * (1 - 1e-12));
    expect(tuning.request.trials).toEqual({ shape: "1", stop: "1/4" });
  });

  it("gives the score its share, and every candidate the same rest", () => {
    const { candidates, score } = tuning.request;
    const rhos = candidates.map(({ request }) => ("rho" in request ? Number(request.rho) : Number.NaN));
    expect(rhos[0]).toBe(rhos[1]);
    expect(Number(score.rho) / (Number(score.rho) + (rhos[0] ?? Number.NaN))).toBeCloseTo(0.25, 4);
  });

  it("runs, and its model is one of the candidates'", () => {
    const { candidate, weights, score } = runTuning(tuning, classes(500, 3, 5), new SeededSource(3));
    expect([0, 1]).toContain(candidate);
    expect(weights.length).toBe(3);
    expect(Number.isInteger(score)).toBe(true);
  });

  it("is refused in zCDP, and where no ρ of the search fits", () => {
    expect(() => tuningWithin({ rho: 0.1, delta: 1e-6 }, setting)).toThrow("it proves no ρ");
    const dear = planLocalization({ ...base, epsilon: 3, delta: 1e-6 });
    expect(() => tuningWithin({ epsilon: 1, delta: 1e-6 }, { ...setting, plansAt: () => [dear] })).toThrow(
      "an ε that pays for one try and its score",
    );
  });
});
