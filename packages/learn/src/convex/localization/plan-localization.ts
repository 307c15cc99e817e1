import { type Adjacency, type Event, invalidParameter } from "@lethe/core";
import { gaussianFor, type Noise, noiseEvent } from "@lethe/core/mechanisms";
import { parseRational, toDouble } from "@lethe/core/numeric";
import { budgetOf, gaussianBudget, type PlanBudget } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireEuclidean } from "../problem/require-euclidean.ts";
import { requireReplaceOne } from "../problem/require-replace-one.ts";
import { requireContraction, requireSmooth } from "../problem/require-smooth.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { gridSensitivity } from "../rows/on-grid.ts";
import { localizationExcess } from "./localization-excess.ts";
import { bestPhases, type GridPhase } from "./phases.ts";

/** What is asked of iterative localization. Everything in it is public. */
export type LocalizationRequest = PlanBudget & {
  readonly problem: ConvexProblem;
  /** n, declared: every unit takes part in one phase. */
  readonly units: number;
  readonly adjacency: Adjacency;
  /** The step size of the first phase; the one of least proven excess unless stated. */
  readonly stepSize?: number;
};

/** A paid run of iterative localization, before any data. */
export interface LocalizationPlan {
  readonly algorithm: "localization@1";
  readonly request: LocalizationRequest;
  readonly phases: readonly GridPhase[];
  /** Added to the average of every phase, on its grid. */
  readonly noise: Noise;
  /** One release, though there are many: a unit takes part in one phase, and later phases read what was released. */
  readonly event: Event;
  readonly report: ConvexReport;
}

const theorem = "iterative localization (Feldman, Koren & Talwar 2020)";

/**
 * Plans private stochastic convex optimisation by iterative localization: phases of one-pass descent over units of their own, each released with noise.
 * Source: Feldman, Koren & Talwar 2020 (arXiv 2005.04763) (C §3); proof: ./localization.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a smooth convex loss, declared ℓ2 bounds, η ≤ 2/β, a public number of units.
 * @example planLocalization({ problem, units: 10000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 }).report.bound.risk // => "population"
 */
export function planLocalization(request: LocalizationRequest): LocalizationPlan {
  const { problem, units, adjacency, stepSize } = request;
  const constants = constantsOf(problem);
  requireEuclidean(problem, theorem);
  const smoothness = requireSmooth(constants, { loss: problem.loss.name, theorem });
  checkPublicUnits(units);
  requireReplaceOne(adjacency, theorem);
  if (stepSize !== undefined) requireContraction(stepSize, smoothness, theorem);
  const budget = budgetOf(request);
  const sensitivity = gridSensitivity(problem.dimension);
  const noise = gaussianFor({ l2Squared: sensitivity.l2Squared, ...gaussianBudget(budget) });
  const setting = {
    ...{ units, dimension: problem.dimension, lipschitz: constants.lipschitz, radius: constants.radius },
    largestStep: smoothness > 0 ? 2 / smoothness : Number.POSITIVE_INFINITY,
    noise: noise.mechanism === "rounded-gaussian@1" ? toDouble(parseRational(noise.sigma), "up") : 0,
  };
  const phases = bestPhases(setting, stepSize ?? null);
  if (phases.length === 0)
    throw invalidParameter("stepSize", stepSize, "large enough that doubles hold the averages on their grid");
  const event = noiseEvent(noise, sensitivity);
  const proven = localizationExcess(phases, setting);
  return {
    ...{ algorithm: "localization@1", request, phases, noise, event },
    report: reportOf(constants, { event, adjacency, budget, risk: "population", proven }),
  };
}
