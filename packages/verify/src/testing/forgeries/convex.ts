import { type Adjacency, account, type Event, parseRational, toDouble, toText } from "@lethe/core";
import { elementAt, fromDouble } from "@lethe/core/numeric";
import type {
  ConvexModel,
  ConvexPlan,
  Method,
  Problem,
  Report,
  Request,
  Run,
  Tuning,
} from "../../convex/convex.ts";
import type { ProcedureRelease } from "../../procedure/procedure.ts";
import type { Mutable } from "./forgery.ts";
import { genuine, signed } from "./procedures.ts";

export type ConvexRelease = ProcedureRelease<ConvexPlan, ConvexModel>;

/** The kinds of trainings that are forged. */
export type ConvexKind =
  | "descent"
  | "descent-replaced"
  | "localization"
  | "one-pass"
  | "output"
  | "objective"
  | "vertices"
  | "vertices-listed"
  | "choice";

export const convexKinds: readonly ConvexKind[] = [
  ...(["descent", "descent-replaced", "localization", "one-pass", "output", "objective"] as const),
  ...(["vertices", "vertices-listed", "choice"] as const),
];

export const adjacencyOf = (kind: ConvexKind): Adjacency =>
  kind === "descent" || kind === "vertices-listed" ? "add-or-remove-one" : "replace-one";

const units = 1000;
/** An intercept, a number, and the categories of two columns; three of a row's entries and the intercept may be 1. */
const dimension = 7;
const radius = 2;
const bound = 2 * (1 + 2 ** -50);
const delta = "1/1000000";

const problem: Problem = {
  ...{ loss: { name: "logistic" }, dimension, features: { norm: "l2", bound }, labels: 1, radius },
};
const flat: Problem = { ...problem, features: { norm: "max", bound: 1 } };
const steepest = (reach: number): number => 1 / (1 + Math.exp(-reach));
const lipschitz = steepest(radius * bound) * bound;

const rounded = (sigma: number) => ({ mechanism: "rounded-gaussian@1", sigma: String(sigma) }) as const;
const released = (sigma: number, l2: number): Event => ({
  ...{ kind: "rounded-gaussian", version: 1, sigma: String(sigma), l2Squared: String(BigInt(l2) ** 2n) },
});
const repeated = (count: number, event: Event): Event => ({
  ...{ kind: "repeat", version: 1, count: String(count), event },
});
const requestOf = (kind: ConvexKind, of: Problem): Request => ({
  ...{ problem: of, units, adjacency: adjacencyOf(kind), delta },
});

/** A report that claims next to nothing, which every plan proves. */
function reportOf(
  kind: ConvexKind,
  event: Event,
  told: { readonly lipschitz: number; readonly smoothness: number; readonly reach: number },
  risk: Report["bound"]["risk"],
): Report {
  const at = toDouble(parseRational(delta), "down");
  return {
    ...{ lipschitz: told.lipschitz, smoothness: told.smoothness, diameter: 2 * radius },
    price: { epsilon: account(event, { adjacency: adjacencyOf(kind) }).epsilon(at).upper, delta: at },
    bound: {
      ...{ risk, proven: 1e6, withoutData: Math.LN2 - Math.log1p(Math.exp(-told.reach)), vacuous: true },
    },
  };
}

/** 2²⁰, and what rounding seven coordinates to a grid adds: ⌈1.25·√7⌉. */
const onGrid = 2 ** 20 + 4;

function methodOf(kind: Exclude<ConvexKind, "choice">): Method {
  const request = requestOf(kind, problem);
  const euclidean = { lipschitz, smoothness: bound ** 2 / 4, reach: radius * bound };
  const sigma = 5_000_000;
  const solver = { distance: radius, steps: 400, accuracy: 0.01 };
  switch (kind) {
    case "descent":
    case "descent-replaced": {
      const event = repeated(4, released(sigma, kind === "descent" ? 2 ** 20 : 2 ** 21));
      const cut = (lipschitz * (1 + 2 ** -30)) / 2 ** 20;
      return {
        ...{ algorithm: "noisy-descent@1", request, steps: 4, stepSize: 0.1, noise: rounded(sigma), event },
        report: {
          ...{ ...reportOf(kind, event, euclidean, "empirical"), theorem: null },
          sigma: ((sigma + 0.5) * cut) / units,
        },
      } as Method;
    }
    case "localization": {
      const event = released(sigma, onGrid);
      const phase = (own: number, stepSize: number) => ({
        ...{ units: own, stepSize, sigma: 1, slack: 0, grid: (4 * lipschitz * stepSize) / 2 ** 20 },
      });
      const report = reportOf(kind, event, euclidean, "population");
      const phases = [phase(600, 0.01), phase(400, 0.0025)];
      return { algorithm: "localization@1", request, phases, noise: rounded(sigma), event, report };
    }
    case "one-pass": {
      const event: Event = { kind: "zcdp", version: 1, rho: "1/100", of: "noisy-iteration" };
      const report = { ...reportOf(kind, event, euclidean, "population"), rhoWithoutIteration: 1 };
      const schedule = { steps: 10, spread: 1000, sigma: 0.5, stepSize: 0.1, rho: 0.01, excess: 1 };
      return { algorithm: "one-pass@1", request, schedule, event, report };
    }
    case "output": {
      const event = released(sigma, onGrid);
      const report = reportOf(kind, event, euclidean, "empirical");
      const ridge = 0.1;
      return {
        ...{ algorithm: "output-perturbation@1", request, ridge, grid: 0.1 / 2 ** 20, event },
        ...{ noise: rounded(sigma), solver: { ...solver, stepSize: 2 / (bound ** 2 / 4 + 2 * ridge) } },
        report: { ...report, sensitivity: { exact: 0.04, computed: 0.06 } },
      } as Method;
    }
    case "objective": {
      const event: Event = {
        ...{ kind: "compose", version: 1 },
        events: [
          {
            kind: "approximate",
            version: 1,
            epsilon: "1",
            delta: "1/10000000",
            of: "objective-perturbation",
          },
          released(8000, 2 ** 8 + 4),
        ],
      };
      const report = reportOf(kind, event, { ...euclidean, lipschitz: bound }, "empirical");
      const objective = { sigma: 100, convexity: 50 };
      return {
        ...{ algorithm: "objective-perturbation@1", request, objective, grid: 1e-7, event },
        ...{ noise: rounded(8000), report: { ...report, accuracy: 1e-5 } },
        solver: { distance: 60, steps: 2000, accuracy: 1e-5, stepSize: 2 / (250 * bound ** 2 + 100) },
      } as Method;
    }
    case "vertices":
    case "vertices-listed": {
      // A choice of ε 1/4 at the range of its scores: 2²² where a unit is replaced, and half of that where one comes.
      const listed = kind === "vertices-listed";
      const choice: Event = { kind: "bounded-range", version: 1, epsilon: "1/4", of: "exponential" };
      const event: Event = listed
        ? repeated(8, choice)
        : { kind: "zcdp", version: 1, rho: "1/16", of: "frank-wolfe" };
      const of = { lipschitz: steepest(radius), smoothness: 0.25, reach: radius };
      return {
        ...{ algorithm: "frank-wolfe@1", request: requestOf(kind, flat), steps: 8, event },
        ...{ rate: `1/${2 ** (listed ? 23 : 24)}`, report: reportOf(kind, event, of, "empirical") },
      };
    }
  }
}

/** A choice between two of the plans above. */
function choice(): Tuning {
  const candidates = [methodOf("localization"), methodOf("output")];
  const trials = { shape: "1", stop: "1/4" };
  const oneTry: Event = {
    ...{ kind: "compose", version: 1 },
    events: [
      {
        ...{ kind: "mix", version: 1 },
        parts: candidates.map(({ event }) => ({ weight: "1/2", event })),
      },
      released(30_000, 2 ** 11),
    ],
  };
  const event: Event = {
    ...{ kind: "repeat-and-select", version: 1, event: oneTry },
    trials: { law: "negative-binomial", ...trials },
  };
  const at = toDouble(parseRational(delta), "down");
  const costOf = (of: Event): number =>
    account(of, { adjacency: "replace-one", accuracy: 1e-3 }).epsilon(at).upper;
  const epsilon = costOf(event);
  return {
    ...{ algorithm: "tuning@1", noise: rounded(30_000), event },
    request: { candidates, score: { problem, rho: "1/500" }, trials, delta },
    charge: {
      ...{ kind: "approximate", version: 1, of: "tuning" },
      ...{ epsilon: toText(fromDouble(epsilon)), delta: toText(fromDouble(at)) },
    },
    report: { price: { epsilon, delta: at }, oneTry: costOf(oneTry) },
  };
}

function planOf(kind: ConvexKind): ConvexPlan {
  const method: Run = kind === "choice" ? choice() : methodOf(kind);
  return {
    ...{ kind: "convex-plan", version: 1, source: "people", where: null },
    target: { kind: "category", name: "member", categories: [false, true] },
    features: [
      { kind: "number", name: "wage", bounds: [0, 60] },
      { kind: "category", name: "sector", categories: ["manufacturing", "other"] },
      { kind: "category", name: "grade", categories: [1, 2, 3] },
    ],
    ...{ intercept: true, method, event: method.algorithm === "tuning@1" ? method.charge : method.event },
  };
}

/** The accounts of all tries take a second each: those of a kind are made once. */
const made = new Map<ConvexKind, ConvexRelease>();

/** The release of a convex model, as an honest service would sign it; of a choice, the second candidate. */
export function genuineConvex(kind: ConvexKind = "descent"): ConvexRelease {
  const known = made.get(kind);
  if (known !== undefined) return known;
  const plan = planOf(kind);
  const { target, features, intercept, method, event } = plan;
  const isChoice = method.algorithm === "tuning@1";
  const { algorithm, request, report } = isChoice ? elementAt(method.request.candidates, 1) : method;
  const result: ConvexModel = {
    ...{ kind: "convex", version: 1, target, features, intercept, loss: { name: "logistic" } },
    weights: Array.from({ length: dimension }, (_, i) => (i - 3) / 10),
    tuning: isChoice ? { candidate: 1, score: 12_345, report: method.report } : null,
    ...{ algorithm, report, adjacency: request.adjacency, event },
  };
  const release = genuine("convex", plan, result, adjacencyOf(kind));
  made.set(kind, release);
  return release;
}

interface Draft {
  readonly plan: Mutable<ConvexPlan>;
  /** What is run, or the first candidate of a choice. */
  readonly method: Mutable<Method>;
  readonly model: Mutable<ConvexModel>;
}

type Change = (draft: Draft) => void;

export function forgedConvex(kind: ConvexKind, change: Change): ConvexRelease {
  const release = JSON.parse(JSON.stringify(genuineConvex(kind))) as Mutable<ConvexRelease>;
  const { plan } = release.certificate.procedure;
  const run = plan.method;
  const method = run.algorithm === "tuning@1" ? elementAt(run.request.candidates, 0) : run;
  change({ plan, method, model: release.result });
  return signed(release);
}

type Drafted<A extends Method["algorithm"]> = Mutable<Extract<Method, { readonly algorithm: A }>>;
const kinds = {
  "noisy-descent@1": "descent",
  "localization@1": "localization",
  "one-pass@1": "one-pass",
  "output-perturbation@1": "output",
  "objective-perturbation@1": "objective",
  "frank-wolfe@1": "vertices",
} as const;

/** What is said where the method of an algorithm is forged. */
function forging<A extends Method["algorithm"]>(
  algorithm: A,
  says: string,
  change: (method: Drafted<A>) => void,
): readonly [string, ConvexKind, Change] {
  return [says, kinds[algorithm], ({ method }) => change(method as Drafted<A>)];
}

const wrongNoise = "times, derived ";
const parting = "a step may part two points";
const stopping = "the solver may stop further from the minimum than is priced";
const perturbed = "the minimum of the perturbed objective costs more than its event states";
const choosing = "the choices cost more than their event states";
const claimed = "the excess that is claimed is smaller than what is proven";
const constants = "the constants of the report are not those of its loss within its bounds";
const another = "the model is of other columns, another loss, report, adjacency or event than its plan";

/** What is said where a choice is forged. */
function choosingOf(
  says: string,
  change: (run: Mutable<Tuning>) => void,
): readonly [string, ConvexKind, Change] {
  return [
    says,
    "choice",
    ({ plan }) => {
      if (plan.method.algorithm === "tuning@1") change(plan.method);
    },
  ];
}

/** What is said ↦ of which kind, and how a lying service comes to be told it. */
export const forgedConvexes: readonly (readonly [string, ConvexKind, Change])[] = [
  // Weights and rows against the columns.
  [
    "the weights are not one for each entry of the columns",
    "descent",
    ({ method }) => {
      method.request.problem.dimension = 8;
    },
  ],
  [
    "the weights are not one for each entry of the columns",
    "descent",
    ({ plan }) => void plan.features.pop(),
  ],
  ...[
    (of: Mutable<Problem>) => {
      of.features.bound = 1;
    },
    (of: Mutable<Problem>) => {
      of.labels = 2;
    },
  ].map((change): readonly [string, ConvexKind, Change] => [
    "rows or targets are not bounded as their columns bound them",
    "descent",
    ({ method }) => change(method.request.problem),
  ]),
  [
    "the record that was charged is not that of the algorithm",
    "descent",
    ({ plan, model }) => {
      plan.event = { kind: "zcdp", version: 1, rho: "1/1000" };
      model.event = plan.event;
    },
  ],
  // Noisy descent: its noise, its steps, and what a unit moves.
  forging("noisy-descent@1", wrongNoise, (method) => {
    method.noise = rounded(2_500_000);
  }),
  forging("noisy-descent@1", "derived 8 times", (method) => {
    method.steps = 8;
  }),
  forging("noisy-descent@1", wrongNoise, ({ request }) => {
    request.adjacency = "replace-one";
  }),
  forging("noisy-descent@1", "the noise of the weights is not rounded Gaussian", (method) => {
    method.noise = { mechanism: "constant@1" };
  }),
  forging("noisy-descent@1", "the noise of the mean gradient is not what the report says", ({ report }) => {
    report.sigma /= 2;
  }),
  // Localization: contraction, whole passes, and the grid of each average.
  forging("localization@1", "places of units are priced as if their number were public", ({ request }) => {
    request.adjacency = "add-or-remove-one";
  }),
  forging("localization@1", "rows are not bounded in the norm of the theorem", ({ request }) => {
    request.problem.features = { norm: "max", bound: 1 };
  }),
  forging("localization@1", parting, ({ phases }) => {
    if (phases[0]) phases[0].stepSize = 2.1;
  }),
  forging("localization@1", parting, ({ request }) => {
    request.problem.loss = { name: "hinge" };
  }),
  forging("localization@1", "the phases do not read as many units as are declared", ({ phases }) => {
    if (phases[1]) phases[1].units = 401;
  }),
  forging("localization@1", "the phases do not read as many units as are declared", (method) => {
    method.phases = [];
  }),
  ...[0, 1].map((at) =>
    forging("localization@1", "a unit moves the average of a phase further than is priced", ({ phases }) => {
      const phase = phases[at];
      if (phase) phase.grid /= 3;
    }),
  ),
  forging("localization@1", wrongNoise, (method) => {
    method.noise = rounded(1000);
  }),
  // One pass: its batches, and the ρ of its last point.
  forging("one-pass@1", "the pass has more steps than can be gone through", ({ schedule }) => {
    schedule.steps = 2 ** 27;
  }),
  forging("one-pass@1", "the units do not reach for the batches of the pass", ({ schedule }) => {
    schedule.spread = 1e9;
  }),
  forging("one-pass@1", "the pass costs more than the ρ that its event states", ({ schedule }) => {
    schedule.sigma /= 10;
  }),
  forging("one-pass@1", "the pass costs more than the ρ that its event states", ({ request }) => {
    request.units = 200;
  }),
  forging("one-pass@1", "the pass costs more than the ρ that its event states", (method) => {
    method.event = { kind: "constant", version: 1 };
  }),
  forging("one-pass@1", parting, ({ schedule }) => {
    schedule.stepSize = 2.1;
  }),
  // Output perturbation: the solver, and the distance of neighbours.
  forging("output-perturbation@1", stopping, ({ solver }) => {
    solver.steps = 2;
  }),
  forging("output-perturbation@1", stopping, ({ solver }) => {
    solver.accuracy = 0;
  }),
  forging("output-perturbation@1", stopping, ({ solver }) => {
    solver.distance = 0.1;
  }),
  forging("output-perturbation@1", stopping, ({ solver }) => {
    solver.stepSize *= 2;
  }),
  forging("output-perturbation@1", "a unit moves the solution further than is priced", (method) => {
    method.grid /= 2;
  }),
  forging("output-perturbation@1", "a unit moves the solution further than is priced", ({ request }) => {
    request.units = 100;
  }),
  forging("output-perturbation@1", wrongNoise, (method) => {
    method.event = released(5_000_000, 2 ** 19) as typeof method.event;
  }),
  // Objective perturbation: the loss, the noise in the objective, its tail, and the second noise.
  forging(
    "objective-perturbation@1",
    "the loss is not Lipschitz for all weights, or its second derivative jumps",
    ({ request }) => {
      request.problem.loss = { name: "squared" };
    },
  ),
  forging("objective-perturbation@1", perturbed, ({ objective }) => {
    objective.sigma = 5;
  }),
  forging("objective-perturbation@1", perturbed, ({ objective }) => {
    objective.convexity = 0.1;
  }),
  forging("objective-perturbation@1", perturbed, ({ solver }) => {
    solver.distance = 40.5;
  }),
  forging("objective-perturbation@1", perturbed, (method) => {
    if (method.event.kind === "compose") method.event.events.reverse();
  }),
  forging("objective-perturbation@1", stopping, ({ solver }) => {
    solver.steps = 10;
  }),
  forging(
    "objective-perturbation@1",
    "the second noise does not hide how far the solver is off",
    (method) => {
      method.grid /= 2;
    },
  ),
  forging("objective-perturbation@1", wrongNoise, (method) => {
    method.noise = rounded(8);
  }),
  forging("objective-perturbation@1", perturbed, (method) => {
    if (method.event.kind === "compose") method.event.events.pop();
  }),
  // Frank–Wolfe: how often it chooses, and at which rate.
  forging("frank-wolfe@1", choosing, (method) => {
    method.rate = `1/${2 ** 23}`;
  }),
  forging("frank-wolfe@1", choosing, (method) => {
    method.steps = 9;
  }),
  [
    choosing,
    "vertices-listed",
    ({ method }) => {
      method.request.adjacency = "replace-one";
    },
  ],
  [
    choosing,
    "vertices-listed",
    ({ method }) => {
      if (method.event.kind === "repeat") method.event.count = "4";
    },
  ],
  forging("frank-wolfe@1", "rows are not bounded in the norm of the theorem", ({ request }) => {
    request.problem.features = { norm: "l2", bound };
  }),
  // The report of each.
  ...convexKinds
    .filter((kind) => kind !== "choice")
    .map((kind): readonly [string, ConvexKind, Change] => [
      claimed,
      kind,
      ({ method }) => {
        const { bound: told } = method.report;
        [told.proven, told.vacuous] = [1e-9, false];
      },
    ]),
  [
    claimed,
    "localization",
    ({ method }) => {
      method.report.bound.risk = "empirical";
    },
  ],
  ...[
    (told: Mutable<Report>) => {
      told.lipschitz /= 2;
    },
    (told: Mutable<Report>) => {
      told.smoothness = null;
    },
    (told: Mutable<Report>) => {
      told.smoothness = 0.5;
    },
    (told: Mutable<Report>) => {
      told.diameter = 2;
    },
  ].map((change): readonly [string, ConvexKind, Change] => [
    constants,
    "descent",
    ({ method }) => change(method.report),
  ]),
  [
    constants,
    "objective",
    ({ method }) => {
      method.report.lipschitz = lipschitz;
    },
  ],
  ...[
    (told: Mutable<Report>) => {
      told.bound.vacuous = false;
    },
    (told: Mutable<Report>) => {
      told.bound.withoutData = 1e9;
    },
  ].map((change): readonly [string, ConvexKind, Change] => [
    "the report does not say rightly whether its bound says anything",
    "descent",
    ({ method }) => change(method.report),
  ]),
  ...[
    (told: Mutable<Report>) => {
      told.price.epsilon /= 2;
    },
    (told: Mutable<Report>) => {
      told.price.delta = 1e-3;
    },
  ].map((change): readonly [string, ConvexKind, Change] => [
    "the report tells a smaller price than its event has",
    "descent",
    ({ method }) => change(method.report),
  ]),
  // The model.
  [
    another,
    "descent",
    ({ model }) => {
      model.loss = { name: "hinge" };
    },
  ],
  [another, "descent", ({ model }) => void model.features.reverse()],
  [
    another,
    "descent",
    ({ model }) => {
      model.report = null;
    },
  ],
  [
    "the model has not one weight for each entry of its columns",
    "descent",
    ({ model }) => void model.weights.pop(),
  ],
  ...(["descent", "vertices"] as const).map((kind): readonly [string, ConvexKind, Change] => [
    "the model's weights lie outside the ball of its plan",
    kind,
    ({ model }) => {
      model.weights = model.weights.map(() => (kind === "descent" ? 0.8 : 0.3));
    },
  ]),
  // A choice: its tries, their price, and which candidate was chosen.
  ...[
    (run: Mutable<Tuning>) => {
      run.request.trials.stop = "1/400";
    },
    (run: Mutable<Tuning>) => {
      run.noise = rounded(300);
    },
    (run: Mutable<Tuning>) => void run.request.candidates.pop(),
  ].map((change) =>
    choosingOf("the event is not that of tries of the candidates, each with its noisy score", change),
  ),
  choosingOf("the noise of scores is not rounded Gaussian", (run) => {
    run.noise = { mechanism: "constant@1" };
  }),
  choosingOf("the candidates differ in adjacency or in the number of units", ({ request }) => {
    if (request.candidates[1]) request.candidates[1].request.units = 1001;
  }),
  choosingOf("all tries cost more than what was charged for them", ({ charge, report }) => {
    if (charge.kind === "approximate") charge.epsilon = toText(fromDouble(report.oneTry));
  }),
  choosingOf("the report tells a smaller price of tries than they have", ({ report }) => {
    report.price.epsilon = report.oneTry;
  }),
  choosingOf("the report tells a smaller price of tries than they have", ({ report }) => {
    report.oneTry /= 2;
  }),
  choosingOf("rows or targets are not bounded as their columns bound them", ({ request }) => {
    request.score.problem.features.bound = 1;
  }),
  choosingOf("the record that was charged is not that of the algorithm", (run) => {
    if (run.charge.kind === "approximate") run.charge.of = "another";
  }),
  choosingOf("a unit moves the solution further than is priced", ({ request }) => {
    const [, second] = request.candidates;
    if (second?.algorithm === "output-perturbation@1") second.grid /= 2;
  }),
  choosingOf("a unit moves the average of a phase further than is priced", ({ request }) => {
    const [first] = request.candidates;
    if (first?.algorithm === "localization@1" && first.phases[0]) first.phases[0].grid /= 3;
  }),
  ...[
    (model: Mutable<ConvexModel>) => {
      if (model.tuning) model.tuning.candidate = 2;
    },
    (model: Mutable<ConvexModel>) => {
      model.tuning = null;
    },
    (model: Mutable<ConvexModel>) => {
      if (model.tuning) model.tuning.report.oneTry = 0;
    },
  ].map((change): readonly [string, ConvexKind, Change] => [
    "the model is not of a candidate of its plan, with the report of its choice",
    "choice",
    ({ model }) => change(model),
  ]),
  [
    another,
    "choice",
    ({ model }) => {
      if (model.tuning) model.tuning.candidate = 0;
    },
  ],
  // The policy.
  [
    "the condition on the convex model's rows is more than a condition",
    "descent",
    ({ plan }) => {
      plan.where = "wage > 3 LIMIT 5";
    },
  ],
  [
    "the convex model's adjacency is not the policy's",
    "descent",
    ({ method }) => {
      method.request.adjacency = "replace-one";
    },
  ],
  [
    "column wage is not declared so in the policy",
    "descent",
    ({ plan }) => {
      const [wage] = plan.features;
      if (wage?.kind === "number") wage.bounds = [3, 57.25];
    },
  ],
];
