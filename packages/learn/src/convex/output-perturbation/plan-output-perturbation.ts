import { type Adjacency, type Event, invalidParameter } from "@lethe/core";
import { gaussianFor, type Noise, noiseEvent } from "@lethe/core/mechanisms";
import { parseRational, toDouble } from "@lethe/core/numeric";
import { type Budget, budgetOf, gaussianBudget, muSquaredOf, type PlanBudget } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf, type ProblemConstants } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireEuclidean } from "../problem/require-euclidean.ts";
import { requireReplaceOne } from "../problem/require-replace-one.ts";
import { requireSmooth } from "../problem/require-smooth.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { unitOnGrid } from "../rows/gradient-sums.ts";
import { gridSensitivity, largestOnGrid } from "../rows/on-grid.ts";
import { stepSlack } from "../rows/step-slack.ts";
import { outputPerturbationExcess } from "./output-perturbation-excess.ts";
import { type SolverSteps, solverSteps } from "./solver-steps.ts";

/** What is asked of output perturbation. Everything in it is public. */
export type OutputPerturbationRequest = PlanBudget & {
  readonly problem: ConvexProblem;
  /** n, declared: it divides the sums. */
  readonly units: number;
  readonly adjacency: Adjacency;
  /** λ of the ridge λ|w|²/2 that is added to the mean loss; the one of least proven excess unless stated. */
  readonly ridge?: number;
};

/** A paid run of output perturbation, before any data. */
export interface OutputPerturbationPlan {
  readonly algorithm: "output-perturbation@1";
  readonly request: OutputPerturbationRequest;
  readonly ridge: number;
  readonly solver: SolverSteps;
  /** Weights are rounded to whole numbers of this before they meet noise. */
  readonly grid: number;
  readonly noise: Noise;
  readonly event: Event;
  readonly report: ConvexReport & {
    /** The distance between the minima of neighbours, 2L/(λn), and that of what is computed, solver and all. */
    readonly sensitivity: { readonly exact: number; readonly computed: number };
  };
}

const theorem = "output perturbation (Chaudhuri, Monteleoni & Sarwate 2011)";
const mostSteps = 2 ** 24;

/**
 * Plans the release of a ridge-regularised minimum with noise. The solver does not reach the minimum: how far off it may be is proven before, and noise
 * covers it.
 * Source: Chaudhuri, Monteleoni & Sarwate 2011; proof: ./output-perturbation.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a smooth convex loss, declared ℓ2 bounds, λ > 0, a public number of units.
 * @example planOutputPerturbation({ problem, units: 10000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 }).report.sensitivity
 */
export function planOutputPerturbation(request: OutputPerturbationRequest): OutputPerturbationPlan {
  const { problem, units, adjacency } = request;
  const { dimension } = problem;
  const constants = constantsOf(problem);
  const { lipschitz, radius } = constants;
  requireEuclidean(problem, theorem);
  const smoothness = requireSmooth(constants, { loss: problem.loss.name, theorem });
  checkPublicUnits(units);
  requireReplaceOne(adjacency, theorem);
  const budget = budgetOf(request);
  const ridge = ridgeOf(request, constants, budget);
  // Two points of the ball lie no further apart than its diameter.
  const exact = Math.min(2 * radius, (2 * lipschitz) / (ridge * units));
  const solver = solverOf({ dimension, units, ridge, smoothness, radius, lipschitz, exact });
  const computed = (exact + 2 * solver.accuracy) * (1 + 2 ** -40);
  const grid = computed / unitOnGrid;
  if (!(radius / grid <= largestOnGrid))
    throw invalidParameter("ridge", ridge, "smaller: doubles do not hold weights on so fine a grid");
  const sensitivity = gridSensitivity(dimension);
  const noise = gaussianFor({ l2Squared: sensitivity.l2Squared, ...gaussianBudget(budget) });
  const event = noiseEvent(noise, sensitivity);
  const onGrid = noise.mechanism === "rounded-gaussian@1" ? toDouble(parseRational(noise.sigma), "up") : 0;
  const sigma = Math.hypot((onGrid + 0.5) * grid, grid / 2);
  const { accuracy } = solver;
  const proven = outputPerturbationExcess({ ridge, radius, lipschitz, dimension, sigma, accuracy });
  return {
    ...{ algorithm: "output-perturbation@1", request, ridge, solver, grid, noise, event },
    report: {
      ...reportOf(constants, { event, adjacency, budget, risk: "empirical", proven }),
      sensitivity: { exact, computed },
    },
  };
}

/** λr²/2 + L·√d·2L/(λnμ) is least where its terms are equal. */
function ridgeOf(
  { problem, units, ridge }: OutputPerturbationRequest,
  { lipschitz, radius }: ProblemConstants,
  budget: Budget,
): number {
  const mu = Math.sqrt(toDouble(muSquaredOf(budget), "down"));
  const best = ((2 * lipschitz) / radius) * Math.sqrt(Math.sqrt(problem.dimension) / (units * mu));
  const chosen = ridge ?? best;
  if (!(chosen > 0 && chosen < Number.POSITIVE_INFINITY))
    throw violatedCondition({
      ...{ name: "ridge", value: chosen, theorem, condition: "a strongly convex objective: λ > 0" },
      fix: "leave out the ridge, or declare one above 0",
    });
  return chosen;
}

function solverOf(run: {
  readonly dimension: number;
  readonly units: number;
  readonly ridge: number;
  readonly smoothness: number;
  readonly radius: number;
  readonly lipschitz: number;
  readonly exact: number;
}): SolverSteps {
  const { dimension, units, ridge, smoothness, radius, lipschitz, exact } = run;
  const whole = smoothness + ridge;
  const solver = solverSteps({
    ...{ convexity: ridge, smoothness: whole, distance: radius, within: exact * 2 ** -12 },
    slack: stepSlack({
      ...{ dimension, radius, batch: units },
      ...{ lipschitz: lipschitz + ridge * radius, stepSize: 2 / (whole + ridge) },
    }),
  });
  if (!(solver.steps <= mostSteps))
    throw invalidParameter("ridge", ridge, `large enough that ${mostSteps} steps solve the problem`);
  return solver;
}
