import { parseRational, price } from "@lethe/core";
import { epsilonFromRho } from "@lethe/core/accounting";
import { compare, lastElement, toDouble } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import {
  type ConvexPlan,
  type ConvexProblem,
  type PlanBudget,
  planDescent,
  planFrankWolfe,
  planLocalization,
  planObjectivePerturbation,
  planOnePass,
  planOutputPerturbation,
} from "../index.ts";
import { budgetOf, pureBudgetOf } from "./budget.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "logistic" }, dimension: 3, features: { norm: "l2", bound: 1 }, radius: 2 },
};
const base = { problem, units: 1000, adjacency: "replace-one" } as const;
const flat = { ...problem, features: { norm: "max", bound: 1 } } as const;

const planners: readonly (readonly [string, (budget: PlanBudget) => ConvexPlan])[] = [
  ["noisy descent", (budget) => planDescent({ ...base, ...budget, noise: "tight" })],
  ["localization", (budget) => planLocalization({ ...base, ...budget })],
  ["one pass", (budget) => planOnePass({ ...base, ...budget })],
  ["output perturbation", (budget) => planOutputPerturbation({ ...base, ...budget })],
  ["Frank–Wolfe", (budget) => planFrankWolfe({ ...base, ...budget, problem: flat })],
];

describe.each(planners)("a budget of %s", (_, plan) => {
  it("in zCDP is kept to, and not bought through the (ε, δ) that it is worth", () => {
    const rho = parseRational("1/40");
    const { event, report } = plan({ rho: "1/40", delta: 1e-6 });
    const charged = price(event, { measure: "zcdp" });
    if (charged.measure !== "zcdp") throw new Error("another measure");
    expect(compare(charged.rho, rho)).toBeLessThanOrEqual(0);
    expect(toDouble(charged.rho, "down")).toBeGreaterThan(0.98 / 40);
    expect(report.price.epsilon).toBeLessThanOrEqual(
      toDouble(epsilonFromRho(rho, parseRational("1e-6")), "up"),
    );
  });

  it("in (ε, δ) is kept to by the exact price that a ledger charges", () => {
    const charged = price(plan({ epsilon: "1/2", delta: "1e-6" }).event, {
      measure: "approximate",
      delta: parseRational("1e-6"),
    });
    if (charged.measure !== "approximate") throw new Error("another measure");
    expect(compare(charged.epsilon, parseRational("1/2"))).toBeLessThanOrEqual(0);
    expect(toDouble(charged.epsilon, "down")).toBeGreaterThan(0.45);
  });
});

describe("a budget", () => {
  it("of (ε, δ) is kept to by objective perturbation too, which has none in zCDP", () => {
    const { event } = planObjectivePerturbation({ ...base, epsilon: 1, delta: 1e-6 });
    const charged = price(event, { measure: "approximate", delta: parseRational("1e-6") });
    if (charged.measure !== "approximate") throw new Error("another measure");
    expect(compare(charged.epsilon, parseRational("1"))).toBeLessThanOrEqual(0);
    expect(() => planObjectivePerturbation({ ...base, rho: 0.1, delta: 1e-6 })).toThrow("proves no ρ");
    expect(() => planDescent({ ...base, rho: 0.001, delta: 1e-6, noise: "theorem" })).toThrow("C Thm 2");
  });

  it("in pure DP buys choices, whose ε add up to no more", () => {
    const { event } = planFrankWolfe({ ...base, problem: flat, epsilon: 3, delta: 0, steps: 8 });
    const charged = price(event, { measure: "pure" });
    if (charged.measure !== "pure") throw new Error("another measure");
    expect(compare(charged.epsilon, parseRational("3"))).toBeLessThanOrEqual(0);
    expect(toDouble(charged.epsilon, "down")).toBeGreaterThan(2.99);
    for (const [, plan] of planners.slice(0, -1))
      expect(() => plan({ epsilon: 1, delta: 0 })).toThrow("above 0 and below 1");
    expect(lastElement(planners)[1]({ epsilon: 1, delta: 0 }).report.price.delta).toBe(0);
  });

  it("that is broken is refused by name", () => {
    const wrong =
      (budget: object): (() => unknown) =>
      () =>
        budgetOf(budget as PlanBudget);
    expect(wrong({ epsilon: 0, delta: 0.1 })).toThrow("epsilon must be > 0");
    expect(wrong({ rho: 0, delta: 0.1 })).toThrow("rho must be > 0");
    expect(wrong({ rho: 1, epsilon: 1, delta: 0.1 })).toThrow("left out where rho is stated");
    expect(wrong({ delta: 0.1 })).toThrow("epsilon");
    for (const delta of [0, 1, -1]) expect(wrong({ epsilon: 1, delta })).toThrow("above 0 and below 1");
    expect(() => pureBudgetOf({ rho: 1, delta: 0 })).toThrow("above 0");
    expect(() => pureBudgetOf({ epsilon: 1, delta: 1 })).toThrow("at least 0 and below 1");
  });
});
