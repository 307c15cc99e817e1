import { type Adjacency, LetheError, lossToJson, parseRational, price } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type ConvexTraining, type PlanBudget, planConvexTask, readConvexTask } from "@lethe/learn/convex";
import { readPolicy } from "@lethe/query";
import { verifyRelease } from "@lethe/verify";
import { expect, it } from "vitest";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      sector: { type: text, categories: [a, b, c] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`);

const losses = ["logistic", "hinge", "smooth-hinge", "squared", "huber", "linear"] as const;
const algorithms = [
  "descent",
  "localization",
  "one-pass",
  "output-perturbation",
  "objective-perturbation",
  "frank-wolfe",
] as const;
const budgets: readonly PlanBudget[] = [
  { epsilon: "1/2", delta: "1/1000000" },
  { epsilon: 8, delta: 1e-9 },
  { rho: "1/30", delta: 1e-6 },
];

/** The release of a training with weights of 0, as far as its plan and its model are checked: nobody signed it. */
function releaseOf(training: ConvexTraining): string {
  const { target, features, intercept, method, event } = training;
  const isChoice = method.algorithm === "tuning@1";
  const { request, algorithm, report } = isChoice ? elementAt(method.request.candidates, 1) : method;
  const charge = lossToJson(price(event, { measure: "approximate", delta: parseRational("1/100000") }));
  const result = {
    ...{ kind: "convex", version: 1, target, features, intercept, loss: request.problem.loss },
    weights: Array.from({ length: request.problem.dimension }, () => 0),
    ...{
      algorithm,
      report,
      tuning: isChoice ? { candidate: 1, score: 7, report: method.report } : null,
      adjacency: request.adjacency,
      event,
    },
  };
  return JSON.stringify({
    ...{ version: 1, result, signature: "0".repeat(128) },
    certificate: {
      ...{ version: 1, requestId: "r", principal: "owner", at: "2026-01-01T00:00:00.000Z" },
      procedure: {
        ...{ version: 1, kind: "convex", policyHash: "0".repeat(64), price: charge },
        plan: { ...training, source: "people", where: null },
      },
      ...{ charge, losses: [charge] },
      account: { granted: charge, spent: charge, left: charge, membershipAdvantage: 1 },
      ledger: {
        sequence: 1,
        hash: "0".repeat(64),
        publicKey: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA",
      },
      resultHash: "0".repeat(64),
    },
  });
}

it.each(
  losses.flatMap((loss) =>
    (["add-or-remove-one", "replace-one"] as const).map((each) => [loss, each] as const),
  ),
)(
  "verify derives again what is planned for %s under %s, by every algorithm and for every budget",
  async (loss, adjacency: Adjacency) => {
    let planned = 0;
    for (const algorithm of algorithms)
      for (const budget of budgets)
        for (const [target, radius, units] of [
          ["member", 3, 1500],
          ["wage", 0.5, 40_000],
        ] as const) {
          if (target === "wage" && loss !== "squared" && loss !== "huber") continue;
          const text = `version: 1\ntable: people\nmodel: convex\ntarget: ${target}\nfeatures: [age, sector]\nunits: ${units}\nradius: ${radius}\nloss: ${loss}\nalgorithm: ${algorithm}\n`;
          const task = await readConvexTask(text, policy);
          let training: ConvexTraining;
          try {
            training = planConvexTask(task, { budget, adjacency, rowsPerUnit: 1 });
          } catch (error) {
            expect(error).toBeInstanceOf(LetheError);
            continue;
          }
          planned += 1;
          const { checks } = await verifyRelease(releaseOf(training));
          const told = checks.filter(({ name }) => name === "event" || name === "model");
          expect(
            told.map(({ outcome }) => outcome),
            `${algorithm} ${JSON.stringify(budget)} ${JSON.stringify(told)}`,
          ).toEqual(["passed", "passed"]);
        }
    expect(planned).toBeGreaterThanOrEqual(3);
  },
);

it.each(["add-or-remove-one", "replace-one"] as const)(
  "verify derives a choice again, under %s",
  async (adjacency) => {
    const others = adjacency === "replace-one" ? "\n  - { algorithm: one-pass }" : "";
    const text = `version: 1\ntable: people\nmodel: convex\ntarget: member\nfeatures: [age, sector]\nunits: 2000\ncandidates:\n  - { steps: 30 }\n  - { loss: hinge, steps: 30, radius: 1 }\n  - { algorithm: frank-wolfe, steps: 4 }${others}\n`;
    const task = await readConvexTask(text, policy);
    const training = planConvexTask(task, { budget: { epsilon: 1, delta: 1e-6 }, adjacency, rowsPerUnit: 1 });
    const { checks } = await verifyRelease(releaseOf(training));
    const told = checks.filter(({ name }) => ["event", "model", "price"].includes(name));
    expect(
      told.map(({ outcome }) => outcome),
      JSON.stringify(told),
    ).toEqual(["passed", "passed", "passed"]);
  },
);
