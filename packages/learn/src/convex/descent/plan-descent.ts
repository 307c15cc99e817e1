import { type Adjacency, type Event, invalidParameter } from "@lethe/core";
import { type Noise, noiseEvent } from "@lethe/core/mechanisms";
import { toText } from "@lethe/core/numeric";
import { budgetOf, type PlanBudget } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireEuclidean } from "../problem/require-euclidean.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { averageIterateExcess } from "./average-iterate-excess.ts";
import { descentNoise, descentSensitivity, noiseOnMean } from "./descent-noise.ts";
import {
  checkTheorem,
  theoremExcess,
  theoremHolds,
  theoremSigma,
  theoremStepSize,
  theoremSteps,
} from "./theorem-setting.ts";

/** What is asked of noisy projected descent. Everything in it is public. */
export type DescentRequest = PlanBudget & {
  readonly problem: ConvexProblem;
  /** n, which divides the sums: declared, never counted. */
  readonly units: number;
  readonly adjacency: Adjacency;
  /**
   * "theorem": σ and η as C Thm 2 prints them, which costs less than the ε asked for. "tight": the least σ whose certified price is ε, and the
   * η that makes the proven bound least.
   */
  readonly noise: "theorem" | "tight";
  /** T; the theorem's least number, or 100 where that is more, unless stated. */
  readonly steps?: number;
};

/** A paid run of noisy projected descent, before any data. */
export interface DescentPlan {
  readonly algorithm: "noisy-descent@1";
  readonly request: DescentRequest;
  readonly steps: number;
  readonly stepSize: number;
  /** Added to the sum of gradients on its grid, at every step. */
  readonly noise: Noise;
  readonly event: Event;
  readonly report: ConvexReport & {
    /** What C Thm 2 states for this request: σ of the mean gradient, its ε, and its bound; null where its conditions do not hold. */
    readonly theorem: {
      readonly sigma: number;
      readonly epsilon: number;
      readonly stepSize: number;
      readonly excess: number;
    } | null;
    /** The deviation of the noise on the mean gradient, as it is drawn. */
    readonly sigma: number;
  };
}

const fewestSteps = 100;
const mostSteps = 2 ** 31;

/**
 * Plans private empirical risk minimisation by noisy projected gradient descent with averaging. The plan is plain data, and a function of the request alone.
 * Source: C Thm 2; proof: ./noisy-descent.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a bound that is missing, a loss that is not convex, features that are not bounded in ℓ2,
 * ε ≥ 1 or ln(1/δ) < ε or too few steps for the theorem.
 * @example planDescent({ problem, units: 1000, adjacency: "replace-one", epsilon: 0.5, delta: 1e-5, noise: "tight" }).report.bound
 */
export function planDescent(request: DescentRequest): DescentPlan {
  const { problem, units, adjacency } = request;
  const constants = constantsOf(problem);
  requireEuclidean(problem, "C Thm 2");
  checkPublicUnits(units);
  const budget = budgetOf(request);
  const { lipschitz, radius } = constants;
  const asked = {
    ...{ units, dimension: problem.dimension, lipschitz, diameter: 2 * radius },
    ...{ epsilon: budget.epsilonNumber, delta: budget.deltaNumber },
  };
  const steps = request.steps ?? Math.max(fewestSteps, theoremSteps(asked));
  if (!(Number.isSafeInteger(steps) && steps >= 1 && steps <= mostSteps))
    throw invalidParameter("steps", steps, `an integer from 1 to ${mostSteps}`);
  if (request.noise === "theorem") {
    if (budget.rho !== null)
      throw violatedCondition({
        ...{ name: "rho", value: toText(budget.rho), theorem: "C Thm 2", condition: "an (ε, δ) budget" },
        fix: 'ask for an ε and a δ, or for noise: "tight", which keeps to ρ',
      });
    checkTheorem(asked, steps);
  }
  const sensitivity = descentSensitivity(adjacency, problem.dimension);
  const noise = descentNoise(request.noise, { asked, budget, steps, sensitivity });
  const event: Event = {
    ...{ kind: "repeat", version: 1, count: String(steps) },
    event: noiseEvent(noise, sensitivity),
  };
  const onMean = noiseOnMean(noise, asked);
  const from0 = { distance: radius, radius, lipschitz, dimension: problem.dimension };
  // With this step size the two terms of the bound are equal.
  const best = radius / Math.sqrt(steps * (lipschitz ** 2 + problem.dimension * onMean.sigma ** 2));
  const stepSize = request.noise === "theorem" ? theoremStepSize(asked, steps) : best;
  const proven = averageIterateExcess({ ...from0, ...onMean, steps, stepSize });
  return {
    ...{ algorithm: "noisy-descent@1", request, steps, stepSize, noise, event },
    report: {
      ...reportOf(constants, { event, adjacency, budget, risk: "empirical", proven }),
      sigma: onMean.sigma,
      theorem: theoremHolds(asked, steps)
        ? {
            sigma: theoremSigma(asked, steps),
            epsilon: asked.epsilon,
            stepSize: theoremStepSize(asked, steps),
            excess: theoremExcess(asked),
          }
        : null,
    },
  };
}
