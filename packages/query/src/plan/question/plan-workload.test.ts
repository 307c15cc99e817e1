import { lossFromJson, parseRational, price, type Rational, ratio } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { compare, divide, multiply } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { PlanOptions } from "../merge-options.ts";
import { measureAlone } from "../passes/measure-jointly.ts";
import { questionBudget } from "../question-budget.ts";
import { planQuestion } from "./plan-question.ts";
import { planWorkload, type WorkloadPlan } from "./plan-workload.ts";

const budgets = {
  pure: "{ measure: pure, epsilon: 10 }",
  approximate: "{ measure: approximate, epsilon: 10, delta: 1e-5 }",
  zcdp: "{ measure: zcdp, epsilon: 10, delta: 1e-5 }",
} as const;
type Measure = keyof typeof budgets;

function policyOf(measure: Measure, adjacency: string, unit: string): Policy {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: ${budgets[measure]}
tables:
  t:
    file: t.parquet
    unit: ${unit}
${unit === "row" ? "" : "    max_groups_contributed: 3\n    max_rows_contributed_per_group: 2"}
    columns:
      id: { type: text }
      x: { type: number, bounds: [-5, 5], default: 0 }
      age: { type: integer, bounds: [1, 90] }
      g: { type: text, categories: [a, b, c] }
      h: { type: text }
  u:
    file: u.parquet
    unit: ${unit}
${unit === "row" ? "" : "    max_groups_contributed: 2\n    max_rows_contributed_per_group: 1"}
    columns:
      id: { type: text }
      y: { type: number, bounds: [0, 1] }
`);
}

/** Questions of every kind: sums, public and private keys, several groupings, quantiles, another table. */
const publicOnes = [
  "SELECT COUNT(*) FROM t",
  "SELECT g, AVG(x), COUNT(*) FROM t GROUP BY g",
  "SELECT VARIANCE(x), SUM(age) FROM t WHERE age > 5",
  "SELECT g, COUNT(*) FROM t GROUP BY CUBE (g)",
  "SELECT MEDIAN(age) FROM t",
  "SELECT COUNT(DISTINCT g) FROM t",
  "SELECT SUM(y) FROM u",
];
const privateOnes = [
  "SELECT h, COUNT(*) FROM t GROUP BY h",
  "SELECT h, g, SUM(age) FROM t GROUP BY ROLLUP (h, g)",
];

async function workload(
  texts: readonly string[],
  policy: Policy,
  options: PlanOptions,
): Promise<WorkloadPlan> {
  const questions = [];
  for (const text of texts) questions.push(resolveQuestion(await parseQuestion(text), policy));
  return planWorkload(questions, policy, options, "hash");
}

const asked = fc.record({
  measure: fc.constantFrom<Measure>("pure", "approximate", "zcdp"),
  adjacency: fc.constantFrom("add-or-remove-one", "replace-one"),
  unit: fc.constantFrom("row", "id"),
  epsilon: fc.constantFrom("1/10", "1", "4"),
  delta: fc.constantFrom(null, "1e-7"),
  publics: fc.subarray(publicOnes, { minLength: 1 }),
  privates: fc.subarray(privateOnes),
});

describe("a workload", () => {
  it("is the composition of its plans, never costs more than was asked, and hardly less", async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ measure, adjacency, unit, epsilon, delta, publics, privates }) => {
        const policy = policyOf(measure, adjacency, unit);
        const texts = measure === "pure" ? publics : [...publics, ...privates];
        const options = {
          epsilon: parseRational(epsilon),
          ...(delta !== null && measure === "approximate" ? { delta: parseRational(delta) } : {}),
        };
        const { plans, event, price: stated } = await workload(texts, policy, options);
        expect(plans.map(({ text }) => text)).toEqual(texts);
        if (plans.length > 1)
          expect(event).toEqual({ kind: "compose", version: 1, events: plans.map((plan) => plan.event) });
        const budget = questionBudget(policy, { ...none, ...options });
        const loss = lossFromJson(stated);
        expect(lossFits(loss, budget)).toBe(true);
        const target =
          budget.measure === "approximate"
            ? ({ measure: "approximate", delta: budget.delta } as const)
            : ({ measure: budget.measure } as const);
        expect(lossFits(price(event, target), loss)).toBe(true);
        expect(compare(spentShare(stated, budget), ratio(85n, 100n))).toBeGreaterThan(0);
      }),
      { numRuns: 60, seed: 43 },
    );
  });

  it("of one question is that question, each total measured by itself", async () => {
    for (const measure of ["pure", "approximate", "zcdp"] as const)
      for (const text of measure === "pure" ? publicOnes : [...publicOnes, ...privateOnes]) {
        const policy = policyOf(measure, "add-or-remove-one", "id");
        const options = { epsilon: parseRational("1") };
        const { plans, event } = await workload([text], policy, options);
        const alone = planQuestion(
          resolveQuestion(await parseQuestion(text), policy),
          policy,
          options,
          "hash",
          measureAlone,
        );
        expect(plans).toEqual([alone]);
        expect(event).toEqual(alone.event);
      }
  });

  it("gives equal measurements equal noise, in whichever questions they stand", async () => {
    const policy = policyOf("pure", "add-or-remove-one", "row");
    const { plans } = await workload(
      [
        "SELECT COUNT(*) FROM t",
        "SELECT g, COUNT(*) FROM t GROUP BY g",
        "SELECT COUNT(*) FROM t WHERE age > 3",
      ],
      policy,
      { epsilon: parseRational("3") },
    );
    const noises = plans.flatMap(({ measurements }) => measurements.map(({ noise }) => noise));
    expect(noises).toEqual(
      Array.from({ length: 3 }, () => ({ mechanism: "discrete-laplace@1", scale: "1" })),
    );
  });

  it("of many Gaussian measurements costs far less than their prices added up", async () => {
    const policy = policyOf("approximate", "add-or-remove-one", "row");
    const texts = Array.from({ length: 25 }, (_, i) => `SELECT COUNT(*) FROM t WHERE age > ${i + 1}`);
    const options = {
      epsilon: parseRational("1"),
      delta: parseRational("1e-6"),
      mechanism: "gaussian",
    } as const;
    const { plans } = await workload(texts, policy, options);
    const [one] = (await workload(texts.slice(0, 1), policy, options)).plans;
    const sigma = (plan: typeof one): number =>
      Number(
        plan?.measurements.map(({ noise }) => ("sigma" in noise ? parseDouble(noise.sigma) : Number.NaN))[0],
      );
    // 25 times the variance, and not 25 times the deviation.
    expect(sigma(plans[0]) / sigma(one)).toBeGreaterThan(4.9);
    expect(sigma(plans[0]) / sigma(one)).toBeLessThan(5.1);
  });
});

const none = {
  epsilon: null,
  delta: null,
  maxGroupsContributed: null,
  maxRowsContributed: null,
  maxRowsPerGroup: null,
  groupSelection: null,
  mechanism: null,
  privacyUnitColumn: null,
  minPrivacyUnitsPerGroup: null,
  targetError: null,
  targetErrorRelative: null,
  targetRelease: null,
  pilotEpsilon: null,
  maxEpsilon: null,
  targetRows: null,
  advantage: null,
  acceptUninformative: null,
} as const;

function spentShare(stated: WorkloadPlan["price"], budget: ReturnType<typeof questionBudget>): Rational {
  const loss = lossFromJson(stated);
  if (loss.measure === "zcdp" && budget.measure === "zcdp") return divide(loss.rho, budget.rho);
  if (loss.measure !== "zcdp" && budget.measure !== "zcdp") return divide(loss.epsilon, budget.epsilon);
  return multiply(ratio(0n), ratio(1n));
}

function parseDouble(text: string): number {
  const { num, den } = parseRational(text);
  return Number(num) / Number(den);
}
