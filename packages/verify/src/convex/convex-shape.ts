import { event, positiveText } from "../format/core-texts.ts";
import { noise } from "../format/measurement-shape.ts";
import { ownersWords } from "../format/owners-words.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  Misshapen,
  nullable,
  number,
  object,
  type Read,
  tagged,
  text,
} from "../format/shape.ts";
import { declaredColumn } from "../procedure/declared-shape.ts";
import type { ConvexModel, ConvexPlan, Loss, Method, Problem, Run, TuningReport } from "./convex.ts";

const adjacency = literal("add-or-remove-one", "replace-one");

/** An exact number: a text, or a double that stands for its shortest decimal. */
const exact: Read<number | string> = (value, path) =>
  typeof value === "number" ? number(value, path) : positiveText(value, path);

/** A δ, which is 0 in pure DP. */
const delta: Read<number | string> = (value, path) => (value === "0" ? value : exact(value, path));

const positive: Read<number> = (value, path) => {
  const found = number(value, path);
  if (!(found > 0)) throw new Misshapen(path, "a number above 0");
  return found;
};

const named = <const N extends string>(...names: readonly N[]) => object({ name: literal(...names) });

const loss: Read<Loss> = tagged("name", {
  linear: named("linear"),
  squared: named("squared"),
  logistic: named("logistic"),
  hinge: named("hinge"),
  huber: object({ name: literal("huber"), corner: positive }),
  "smooth-hinge": object({ name: literal("smooth-hinge"), width: positive }),
});

const problem: Read<Problem> = object({
  ...{ loss, dimension: integer(1), labels: positive, radius: positive },
  features: object({ norm: literal("l2", "max"), bound: positive }),
});

const request = extended(
  { problem, units: integer(1), adjacency, delta },
  {
    ...{ epsilon: exact, rho: exact, noise: literal("theorem", "tight") },
    ...{ steps: integer(1), stepSize: positive, ridge: positive },
  },
);

const told = {
  lipschitz: number,
  smoothness: nullable(number),
  diameter: number,
  price: object({ epsilon: number, delta: number }),
  bound: object({
    risk: literal("empirical", "population"),
    ...{ proven: number, withoutData: number, vacuous: boolean },
  }),
} as const;

const theorem = object({ sigma: number, epsilon: number, stepSize: number, excess: number });
const solver = object({ distance: number, stepSize: number, steps: integer(1), accuracy: number });

const phase = object({
  ...{ units: integer(1), stepSize: positive, sigma: number, slack: number, grid: positive },
});

/** What each algorithm runs. */
const methods = {
  "noisy-descent@1": object({
    ...{
      algorithm: literal("noisy-descent@1"),
      request,
      steps: integer(1),
      stepSize: positive,
      noise,
      event,
    },
    report: object({ ...told, sigma: number, theorem: nullable(theorem) }),
  }),
  "localization@1": object({
    ...{ algorithm: literal("localization@1"), request, phases: list(phase), noise, event },
    report: object(told),
  }),
  "one-pass@1": object({
    ...{ algorithm: literal("one-pass@1"), request, event },
    schedule: object({
      ...{ steps: integer(1), spread: positive, sigma: positive, stepSize: positive, rho: number },
      excess: number,
    }),
    report: object({ ...told, rhoWithoutIteration: number }),
  }),
  "output-perturbation@1": object({
    ...{ algorithm: literal("output-perturbation@1"), request, ridge: positive, solver, grid: positive },
    ...{ noise, event },
    report: object({ ...told, sensitivity: object({ exact: number, computed: number }) }),
  }),
  "objective-perturbation@1": object({
    ...{ algorithm: literal("objective-perturbation@1"), request, solver, grid: positive, noise, event },
    objective: object({ sigma: positive, convexity: positive }),
    report: object({ ...told, accuracy: number }),
  }),
  "frank-wolfe@1": object({
    ...{ algorithm: literal("frank-wolfe@1"), request, steps: integer(1), rate: positiveText, event },
    report: object(told),
  }),
} as const;

const method: Read<Method> = tagged("algorithm", methods);

const candidates: Read<readonly Method[]> = (value, path) => {
  const found = list(method)(value, path);
  if (found.length === 0) throw new Misshapen(path, "a list of at least one");
  return found;
};

const tuningReport: Read<TuningReport> = object({
  price: object({ epsilon: number, delta: number }),
  oneTry: number,
});

const run: Read<Run> = tagged("algorithm", {
  ...methods,
  "tuning@1": object({
    ...{ algorithm: literal("tuning@1"), noise, event, charge: event, report: tuningReport },
    request: object({
      candidates,
      score: object({ problem, rho: exact }),
      trials: object({ shape: text, stop: positiveText }),
      delta: exact,
    }),
  }),
});

/** Reads the plan of a convex model's training. */
export const convexPlan: Read<ConvexPlan> = extended(
  {
    ...{ kind: literal("convex-plan"), version: literal(1), source: text, where: nullable(text) },
    ...{ target: declaredColumn, features: list(declaredColumn), intercept: boolean, method: run, event },
  },
  ownersWords,
);

/** A report is compared with its plan's as it stands. */
const report: Read<unknown> = (value) => value;

/** Reads the model that a training releases. */
export const convexModel: Read<ConvexModel> = object({
  ...{ kind: literal("convex"), version: literal(1), target: declaredColumn, features: list(declaredColumn) },
  ...{ intercept: boolean, loss, weights: list(number), report, adjacency, event },
  tuning: nullable(object({ candidate: integer(0), score: number, report: tuningReport })),
  algorithm: literal(
    ...([
      "noisy-descent@1",
      "localization@1",
      "one-pass@1",
      "output-perturbation@1",
      "objective-perturbation@1",
      "frank-wolfe@1",
    ] as const),
  ),
});
