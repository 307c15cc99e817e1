import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import type { ConvexTraining } from "../training/convex-training.ts";
import { type ConvexTerms, planConvexTask } from "./plan-convex-task.ts";
import { readConvexTask } from "./read-convex-task.ts";

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
      free: { type: number }
      sector: { type: text, categories: [a, b, c] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`);
const start = "version: 1\ntable: people\nmodel: convex\n";
const file = (rest: string): string => `${start}${rest}\n`;
const few = "target: member\nfeatures: [age, sector]\nunits: 2000";
const terms: ConvexTerms = {
  ...{ budget: { epsilon: 0.5, delta: 1e-6 }, adjacency: "replace-one", rowsPerUnit: 1 },
};

const problemOf = ({ method }: ConvexTraining): ConvexProblem =>
  method.algorithm === "tuning@1" ? expect.unreachable() : method.request.problem;

describe("a description", () => {
  it("of target, features and units suffices", async () => {
    const task = await readConvexTask(file(few), policy);
    const [placed] = task.choices;
    expect(task).toEqual({
      ...{ kind: "convex", version: 1, source: "people", where: null, units: 2000, intercept: true },
      target: { kind: "category", name: "member", categories: [false, true], nullable: true },
      features: [
        { kind: "number", name: "age", bounds: [18, 90], nullable: true },
        { kind: "category", name: "sector", categories: ["a", "b", "c"], nullable: true },
      ],
      choices: [
        {
          choice: {
            ...{ loss: { name: "logistic" }, radius: 4, algorithm: { name: "descent", noise: "tight" } },
          },
          places: expect.anything(),
        },
      ],
      tuning: null,
    });
    expect(placed?.places.units).toEqual({ path: "units", line: 6, column: 1 });
    const training = planConvexTask(task, terms);
    expect(training.method).toMatchObject({ algorithm: "noisy-descent@1", steps: 453 });
    // An intercept, a number and a block of categories: three entries of size 1 at most.
    expect(problemOf(training)).toEqual({
      ...{ loss: { name: "logistic" }, dimension: 5, labels: 1, radius: 4 },
      features: { norm: "l2", bound: expect.closeTo(Math.sqrt(3), 12) },
    });
    expect(problemOf(training).features.bound ** 2).toBeGreaterThanOrEqual(3);
  });

  it("names what it would rather have", async () => {
    const text = file(
      "where: age > 20\ntarget: wage\nfeatures: [age]\nunits: 500\nloss: huber\ncorner: 0.25\nradius: 2\nalgorithm: localization\nstepSize: 0.1\nintercept: false",
    );
    const task = await readConvexTask(text, policy);
    expect(task.where).toBe("age > 20");
    expect(task.choices[0]?.choice).toEqual({
      ...{ loss: { name: "huber", corner: 0.25 }, radius: 2 },
      algorithm: { name: "localization", stepSize: 0.1 },
    });
    expect(problemOf(planConvexTask(task, terms))).toMatchObject({
      ...{ dimension: 1, features: { norm: "l2", bound: expect.closeTo(1, 12) } },
    });
  });

  it("may list candidates, of which the best is chosen at one price", async () => {
    const text = file(
      `${few}\ncandidates:\n  - { radius: 2, steps: 20 }\n  - { radius: 8, algorithm: localization }\n  - loss: huber\n    corner: 0.25\n    steps: 20\ntries: 5`,
    );
    const task = await readConvexTask(text, policy);
    expect(task.tuning).toEqual({ tries: 5, scoreShare: 0.2 });
    expect(task.choices.map(({ choice }) => choice)).toEqual([
      { loss: { name: "logistic" }, radius: 2, algorithm: { name: "descent", noise: "tight", steps: 20 } },
      { loss: { name: "logistic" }, radius: 8, algorithm: { name: "localization" } },
      {
        loss: { name: "huber", corner: 0.25 },
        ...{ radius: 4, algorithm: { name: "descent", noise: "tight", steps: 20 } },
      },
    ]);
    const { method, event } = planConvexTask(task, terms);
    if (method.algorithm !== "tuning@1") throw new Error("no choice");
    expect(method.request.candidates.map(({ algorithm }) => algorithm)).toEqual([
      ...["noisy-descent@1", "localization@1", "noisy-descent@1"],
    ]);
    expect(method.request.score.problem).toMatchObject({ loss: { name: "logistic" }, radius: 8 });
    expect(event).toEqual(method.charge);
    expect(method.report.price.epsilon).toBeLessThanOrEqual(0.5);
    expect(method.report.price.epsilon).toBeGreaterThan(0.45);
  });

  it.each([
    ["squared", "target: wage"],
    ["huber", "target: wage"],
    ["logistic", "target: member"],
    ["hinge", "target: member"],
    ["smooth-hinge", "target: member"],
    ["linear", "target: member"],
    ["squared", "target: member"],
  ])("may minimise %s with %s by every algorithm that its theorem covers", async (loss, target) => {
    for (const algorithm of [
      "descent",
      "localization",
      "one-pass",
      "output-perturbation",
      "objective-perturbation",
      "frank-wolfe",
    ]) {
      const text = file(
        `${target}\nfeatures: [age, sector]\nunits: 2000\nloss: ${loss}\nalgorithm: ${algorithm}`,
      );
      const task = await readConvexTask(text, policy);
      const plan = (): unknown => planConvexTask(task, terms);
      const refused =
        (loss === "hinge" && algorithm !== "descent") ||
        (algorithm === "objective-perturbation" && !["logistic", "linear"].includes(loss));
      if (refused) expect(plan).toThrow(expect.objectContaining({ code: "model.invalid" }));
      else expect(plan()).toMatchObject({ kind: "convex-plan" });
    }
  });
});

describe("a wrong description", () => {
  it.each([
    ["target: sector\nfeatures: [age]\nunits: 10", "line 4, target"],
    ["target: member\nfeatures: [free]\nunits: 10", "line 5, features[0]", "without public bounds"],
    ["target: free\nfeatures: [age]\nunits: 10", "line 4, target", "without public bounds"],
    ["target: member\nfeatures: [age]", "units", "public and never counted"],
    ["target: member\nfeatures: [age]\nunits: 0", "line 6, units"],
    ["target: member\nfeatures: [age]\nunits: 1.5", "line 6, units"],
    [`${few}\nradius: 0`, "line 7, radius", "ball of weights"],
    [`${few}\nloss: sigmoid`, "line 7, loss", "which are convex"],
    [`${few}\nloss: huber\ncorner: 0`, "line 8, corner"],
    [`${few}\ncorner: 1`, "line 7, corner", "huber alone"],
    [`${few}\nwidth: 1`, "line 7, width", "smooth-hinge alone"],
    [`${few}\nalgorithm: newton`, "line 7, algorithm"],
    [`${few}\nstepSize: 1`, "line 7, stepSize", "no setting of algorithm: descent"],
    [`${few}\nalgorithm: one-pass\nsteps: 5`, "line 8, steps", "no setting of algorithm: one-pass"],
    [`${few}\nalgorithm: localization\nnoise: tight`, "line 8, noise"],
    [`${few}\nalgorithm: output-perturbation\nridge: 0`, "line 8, ridge", "strongly convex"],
    [`${few}\nclip: 1`, "line 7, clip", "no gradients of a convex function"],
    [`${few}\nrate: 1`, 'unknown key "rate"'],
    ["target: wage\nfeatures: [age]\nunits: 10\nloss: logistic", "line 7, loss", "is a number"],
    ["target: wage\nfeatures: [age, wage]\nunits: 10", "line 5, features"],
    [`${few}\nwhere: age >`, "line 7, where"],
    [`${few}\ncandidates: [{ radius: 2 }]`, "line 7, candidates", "at least two"],
    [`${few}\ncandidates: 3`, "line 7, candidates", "a list of settings"],
    [`${few}\ncandidates: [{ radius: 2 }, { radius: 0 }]`, "line 7, candidates[1].radius", "above 0"],
    [`${few}\ncandidates:\n  - {}\n  - { stepSize: 1 }`, "line 9, candidates[1].stepSize", "no setting"],
    [`${few}\nradius: 2\ncandidates: [{}, {}]`, "line 7, radius", "stands beside candidates"],
    [`${few}\ntries: 3`, "line 7, tries", "there are none"],
    [`${few}\ncandidates: [{}, {}]\ntries: 1`, "line 8, tries", "at least 2"],
    [`${few}\ncandidates: [{}, {}]\nscoreShare: 1`, "line 8, scoreShare", "below 1"],
    [
      "target: wage\nfeatures: [age]\nunits: 10\ncandidates: [{}, { loss: hinge }]",
      "line 7, candidates[1].loss",
    ],
  ])("is refused at its place: %j", async (rest, place, why = place) => {
    const reading = readConvexTask(file(rest), policy);
    await expect(reading).rejects.toMatchObject({
      code: "model.invalid",
      message: expect.stringContaining(place),
    });
    await expect(reading).rejects.toThrow(why);
  });
});

/** A refusal of a theorem: the description, the terms, what it says, and the description as its fix has it. */
interface Refusal {
  readonly text: string;
  readonly terms?: object;
  readonly place: string;
  readonly condition: string;
  readonly fix: string;
  readonly accepted: string;
}

const refusals: readonly Refusal[] = [
  {
    text: `${few}\nalgorithm: localization`,
    terms: { adjacency: "add-or-remove-one" },
    place: "line 7, algorithm",
    condition: "a public number of units (replace-one)",
    fix: "write algorithm: descent",
    accepted: `${few}\nalgorithm: descent`,
  },
  {
    text: `${few}\nloss: hinge\nalgorithm: one-pass`,
    place: "line 7, loss",
    condition: "a smooth loss",
    fix: "write loss: smooth-hinge",
    accepted: `${few}\nloss: smooth-hinge\nalgorithm: one-pass`,
  },
  {
    text: `${few}\nloss: smooth-hinge\nalgorithm: objective-perturbation`,
    place: "line 7, loss",
    condition: "a continuous second derivative",
    fix: "write loss: logistic",
    accepted: `${few}\nloss: logistic\nalgorithm: objective-perturbation`,
  },
  {
    text: "target: wage\nfeatures: [age]\nunits: 2000\nalgorithm: objective-perturbation",
    place: "line 7, algorithm",
    condition: "Lipschitz for all weights",
    fix: "write algorithm: output-perturbation",
    accepted: "target: wage\nfeatures: [age]\nunits: 2000\nalgorithm: output-perturbation",
  },
  {
    text: `${few}\nalgorithm: localization\nstepSize: 3`,
    place: "line 8, stepSize",
    condition: "0 < η ≤ 2/β",
    fix: "write stepSize: 2.66",
    accepted: `${few}\nalgorithm: localization\nstepSize: 2.66`,
  },
  {
    text: `${few}\nnoise: theorem`,
    terms: { budget: { epsilon: 1, delta: 1e-6 } },
    place: "line 7, noise",
    condition: "C Thm 2 asks for ε below 1",
    fix: "write noise: tight",
    accepted: `${few}\nnoise: tight`,
  },
  {
    text: `${few}\nnoise: theorem\nsteps: 2`,
    place: "line 8, steps",
    condition: "T ≥ n²ε²/(32·d·ln(1/δ))",
    fix: "leave steps out",
    accepted: `${few}\nnoise: theorem`,
  },
  {
    text: `${few}\nnoise: theorem`,
    terms: { budget: { rho: 0.01, delta: 1e-6 } },
    place: "line 7, noise",
    condition: "an (ε, δ) budget",
    fix: "write noise: tight",
    accepted: `${few}\nnoise: tight`,
  },
  {
    text: `${few}\nalgorithm: objective-perturbation`,
    terms: { budget: { rho: 0.01, delta: 1e-6 } },
    place: "line 7, algorithm",
    condition: "it proves no ρ",
    fix: "write algorithm: output-perturbation",
    accepted: `${few}\nalgorithm: output-perturbation`,
  },
  {
    text: `${few}\nalgorithm: objective-perturbation`,
    terms: { rowsPerUnit: 2 },
    place: "line 7, algorithm",
    condition: "at most 1 rows a unit",
    fix: "write algorithm: output-perturbation",
    accepted: `${few}\nalgorithm: output-perturbation`,
  },
  {
    text: `${few}\ncandidates:\n  - { steps: 10 }\n  - { loss: hinge, algorithm: localization }`,
    place: "line 9, candidates[1].loss",
    condition: "a smooth loss",
    fix: "write loss: smooth-hinge",
    accepted: `${few}\ncandidates:\n  - { steps: 10 }\n  - { loss: smooth-hinge, algorithm: localization }`,
  },
  {
    text: `${few}\ncandidates:\n  - { steps: 10 }\n  - { algorithm: objective-perturbation }`,
    place: "line 9, candidates[1].algorithm",
    condition: "it proves no ρ",
    fix: "write algorithm: output-perturbation",
    accepted: `${few}\ncandidates:\n  - { steps: 10 }\n  - { algorithm: output-perturbation }`,
  },
  {
    text: `${few}\ncandidates: [{ steps: 10 }, { steps: 20 }]`,
    terms: { budget: { rho: 0.01, delta: 1e-6 } },
    place: "line 7, candidates",
    condition: "an (ε, δ) budget",
    fix: "plan one of the candidates",
    accepted: `${few}\nsteps: 10`,
  },
  {
    text: `${few}\nalgorithm: output-perturbation\nridge: 1e-12`,
    place: "line 8, ridge",
    condition: "steps solve the problem",
    fix: "leave ridge out",
    accepted: `${few}\nalgorithm: output-perturbation`,
  },
  {
    text: "target: member\nfeatures: [age, sector]\nunits: 1\nalgorithm: one-pass",
    terms: { budget: { epsilon: 1e-5, delta: 1e-6 } },
    place: "line 6, units",
    condition: "batches that the units reach for",
    fix: "declare more units",
    accepted: `${few}\nalgorithm: one-pass`,
  },
];

describe("what a theorem does not cover", () => {
  it.each(refusals)("is refused by its condition and its line: $place, $condition", async (refusal) => {
    const at = { ...terms, ...refusal.terms };
    const task = await readConvexTask(file(refusal.text), policy);
    const plan = (): unknown => planConvexTask(task, at);
    expect(plan).toThrow(
      expect.objectContaining({ code: "model.invalid", fix: expect.stringContaining(refusal.fix) }),
    );
    expect(plan).toThrow(refusal.condition);
    expect(plan).toThrow(refusal.place);
    const accepted = await readConvexTask(file(refusal.accepted), policy);
    const tried = refusal.fix.startsWith("declare") ? terms : at;
    expect(planConvexTask(accepted, tried)).toMatchObject({ kind: "convex-plan" });
  });

  it("leaves a refusal of the terms themselves as it is", async () => {
    const task = await readConvexTask(file(few), policy);
    expect(() => planConvexTask(task, { ...terms, adjacency: "people" as never })).toThrow("adjacency");
  });
});
