import { type Adjacency, type Event, invalidParameter } from "@lethe/core";
import { gaussianFor, type Noise, noiseEvent } from "@lethe/core/mechanisms";
import { add, divide, multiply, parseRational, ratio, subtract, toDouble, toText } from "@lethe/core/numeric";
import { type SolverSteps, solverSteps } from "../output-perturbation/solver-steps.ts";
import { type Budget, budgetOf, type PlanBudget } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf, type ProblemConstants } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireEuclidean } from "../problem/require-euclidean.ts";
import { requireReplaceOne } from "../problem/require-replace-one.ts";
import { requireSmooth } from "../problem/require-smooth.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { gridSensitivity, largestOnGrid } from "../rows/on-grid.ts";
import { stepSlack } from "../rows/step-slack.ts";
import { bestObjective } from "./best-objective.ts";
import { objectivePerturbationExcess } from "./objective-perturbation-excess.ts";
import type { PerturbedObjective } from "./objective-perturbation-price.ts";

/** What is asked of objective perturbation. Everything in it is public. */
export type ObjectivePerturbationRequest = PlanBudget & {
  /** The weights are not held in the ball: its radius is that of the weights they are compared with. */
  readonly problem: ConvexProblem;
  /** n, declared. */
  readonly units: number;
  readonly adjacency: Adjacency;
};

/** A paid run of objective perturbation, before any data. */
export interface ObjectivePerturbationPlan {
  readonly algorithm: "objective-perturbation@1";
  readonly request: ObjectivePerturbationRequest;
  readonly objective: PerturbedObjective;
  readonly solver: SolverSteps;
  /** Weights are rounded to whole numbers of this before they meet the second noise. */
  readonly grid: number;
  /** The second noise, which hides how far the solver is from the minimum. */
  readonly noise: Noise;
  readonly event: Event;
  readonly report: ConvexReport & {
    /** The distance to the exact minimum that the second noise covers. */
    readonly accuracy: number;
  };
}

const theorem = "objective perturbation at approximate minima (Iyengar et al. 2019)";
const mostSteps = 2 ** 24;
/** How many steps of its grid the second release moves: few, so that large weights fit. */
const movedOnGrid = 2 ** 8;
/** The noise in the objective is a whole number of steps of σ·2^-30. */
export const noiseBits = 30;

/**
 * Plans the minimum of an objective with a random linear term, found approximately: the noise of the objective is priced at the exact minimum, and a second, small
 * noise covers how far the solver is off.
 * Source: Iyengar, Near, Song, Thakkar, Thakurta & Wang 2019; Redberg, Koskela & Wang 2023; proof: ./objective-perturbation.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a loss with a continuous second derivative that is Lipschitz for all weights, declared
 * ℓ2 bounds, a public number of units.
 * @example planObjectivePerturbation({ problem, units: 10000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 }).objective
 */
export function planObjectivePerturbation(request: ObjectivePerturbationRequest): ObjectivePerturbationPlan {
  const { problem, units, adjacency } = request;
  const { dimension } = problem;
  requireEuclidean(problem, theorem);
  const constants = everywhere(problem);
  const { lipschitz, radius } = constants;
  const smoothness = requireSmooth(constants, { loss: problem.loss.name, theorem });
  checkPublicUnits(units);
  requireReplaceOne(adjacency, theorem);
  const budget = budgetOf(request);
  if (budget.rho !== null)
    throw violatedCondition({
      ...{ name: "rho", value: toText(budget.rho), theorem, condition: "an (ε, δ) budget: it proves no ρ" },
      fix: "ask for an ε and a δ, or use output perturbation, which has a price in zCDP",
    });
  const { first, second, tail } = sharesOf(budget);
  const objective = bestObjective({ lipschitz, smoothness, radius, units, dimension, ...first });
  const solver = solverOf({
    objective,
    units,
    smoothness,
    lipschitz,
    dimension,
    tail: toDouble(tail, "down"),
  });
  // Rounding the objective's noise moves its minimum by at most the rounding over Λ.
  const rounding =
    (objective.sigma * Math.sqrt(dimension) * 2 ** -(noiseBits + 1) * (1 + 2 ** -10)) / objective.convexity;
  const accuracy = (solver.accuracy + rounding) * (1 + 2 ** -40);
  const grid = (2 * accuracy) / movedOnGrid;
  if (!((4 * solver.distance) / grid <= largestOnGrid))
    throw invalidParameter("units", units, "fewer: doubles do not hold weights on so fine a grid");
  const sensitivity = gridSensitivity(dimension, movedOnGrid);
  const noise = gaussianFor({ l2Squared: sensitivity.l2Squared, ...second });
  const event: Event = {
    ...{ kind: "compose", version: 1 },
    events: [
      {
        ...{ kind: "approximate", version: 1, of: "objective-perturbation" },
        ...{ epsilon: toText(first.epsilon), delta: toText(add(first.delta, tail)) },
      },
      noiseEvent(noise, sensitivity),
    ],
  };
  const onGrid = noise.mechanism === "rounded-gaussian@1" ? toDouble(parseRational(noise.sigma), "up") : 0;
  const sigmaAfter = Math.hypot((onGrid + 0.5) * grid, grid / 2);
  const proven = objectivePerturbationExcess({
    ...{ ...objective, radius, units, dimension, lipschitz, accuracy, sigmaAfter },
  });
  return {
    ...{ algorithm: "objective-perturbation@1", request, objective, solver, grid, noise, event },
    report: {
      ...reportOf(constants, { event, adjacency, budget, risk: "empirical", proven }),
      accuracy,
    },
  };
}

/** The constants for weights of any norm. Errors: parameter.invalid where the loss has none, or its second derivative jumps. */
export function everywhere(problem: ConvexProblem): ProblemConstants {
  const constants = constantsOf(problem);
  const { loss, labels } = constants;
  if (loss.curvature !== null && !loss.twiceContinuous)
    throw violatedCondition({
      ...{ name: "loss", value: problem.loss.name, theorem },
      ...{ condition: "a continuous second derivative", fix: 'use "logistic", or output perturbation' },
    });
  const steepest = loss.steepest(Number.POSITIVE_INFINITY, labels);
  if (!(steepest < Number.POSITIVE_INFINITY))
    throw violatedCondition({
      ...{ name: "loss", value: problem.loss.name, theorem },
      condition: "a loss that is Lipschitz for all weights: its minimum is not held in a ball",
      fix: 'use "logistic", or output perturbation',
    });
  return { ...constants, lipschitz: steepest * problem.features.bound * (1 + 2 ** -40) };
}

/** Of the budget, 31/32 of ε goes to the objective and 1/32 to the second noise; of δ 3/4, 1/8, and 1/8 to a noise so long that the solver stops early. */
function sharesOf({ epsilon, delta }: Budget): {
  readonly first: Pick<Budget, "epsilon" | "delta">;
  readonly second: Pick<Budget, "epsilon" | "delta">;
  readonly tail: Budget["delta"];
} {
  const little = divide(epsilon, ratio(32n));
  const eighth = divide(delta, ratio(8n));
  return {
    first: { epsilon: subtract(epsilon, little), delta: multiply(eighth, ratio(6n)) },
    second: { epsilon: little, delta: eighth },
    tail: eighth,
  };
}

function solverOf(run: {
  readonly objective: PerturbedObjective;
  readonly units: number;
  readonly smoothness: number;
  readonly lipschitz: number;
  readonly dimension: number;
  readonly tail: number;
}): SolverSteps {
  const { objective, units, smoothness, lipschitz, dimension, tail } = run;
  const { convexity, sigma } = objective;
  // P[|b| > σ(√d + t)] ≤ e^(−t²/2), and the noise that leads a neighbour to the same minimum is longer by at most 2L. The minimum lies within
  // (nL + |b|)/Λ of 0, by the norm of the gradient there.
  const likely = sigma * (Math.sqrt(dimension) + Math.sqrt(-2 * Math.log(tail))) * (1 + 2 ** -20);
  const longest = likely + 2 * lipschitz;
  const gradient = units * lipschitz + longest;
  const whole = units * smoothness + convexity;
  const distance = gradient / convexity;
  const stepSize = 2 / (whole + convexity);
  // So near that the second noise costs a small part of what the first does.
  const within = (Math.sqrt(dimension) * sigma ** 2 * 2 ** -13) / (units * lipschitz * convexity);
  const solver = solverSteps({
    ...{ convexity, smoothness: whole, distance, within },
    slack: stepSlack({
      ...{ dimension, stepSize, batch: units, radius: 2 * distance },
      lipschitz: gradient + convexity * 2 * distance,
    }),
  });
  if (!(solver.steps <= mostSteps))
    throw invalidParameter("units", units, `so few that ${mostSteps} steps solve the problem`);
  return solver;
}
