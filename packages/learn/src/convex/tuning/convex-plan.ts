import { type BitSource, invalidParameter } from "@lethe/core";
import { type DescentPlan, planDescent } from "../descent/plan-descent.ts";
import { runDescent } from "../descent/run-descent.ts";
import { type FrankWolfePlan, planFrankWolfe } from "../frank-wolfe/plan-frank-wolfe.ts";
import { runFrankWolfe } from "../frank-wolfe/run-frank-wolfe.ts";
import { type LocalizationPlan, planLocalization } from "../localization/plan-localization.ts";
import { runLocalization } from "../localization/run-localization.ts";
import {
  type ObjectivePerturbationPlan,
  planObjectivePerturbation,
} from "../objective-perturbation/plan-objective-perturbation.ts";
import { runObjectivePerturbation } from "../objective-perturbation/run-objective-perturbation.ts";
import { type OnePassPlan, planOnePass } from "../one-pass/plan-one-pass.ts";
import { runOnePass } from "../one-pass/run-one-pass.ts";
import {
  type OutputPerturbationPlan,
  planOutputPerturbation,
} from "../output-perturbation/plan-output-perturbation.ts";
import { runOutputPerturbation } from "../output-perturbation/run-output-perturbation.ts";
import { plannedAgain } from "../report/planned-again.ts";
import type { RunRows } from "../rows/sealed-rows.ts";

/** A plan of any algorithm for convex problems. */
export type ConvexPlan =
  | DescentPlan
  | FrankWolfePlan
  | LocalizationPlan
  | ObjectivePerturbationPlan
  | OnePassPlan
  | OutputPerturbationPlan;

type Algorithm = ConvexPlan["algorithm"];
type PlanOf<A extends Algorithm> = Extract<ConvexPlan, { readonly algorithm: A }>;

const algorithms: {
  readonly [A in Algorithm]: {
    again(plan: PlanOf<A>): PlanOf<A>;
    run(plan: PlanOf<A>, rows: RunRows, bits: BitSource): Float64Array;
  };
} = {
  "noisy-descent@1": { again: (plan) => plannedAgain(plan, planDescent), run: runDescent },
  "frank-wolfe@1": { again: (plan) => plannedAgain(plan, planFrankWolfe), run: runFrankWolfe },
  "localization@1": { again: (plan) => plannedAgain(plan, planLocalization), run: runLocalization },
  "objective-perturbation@1": {
    again: (plan) => plannedAgain(plan, planObjectivePerturbation),
    run: runObjectivePerturbation,
  },
  "one-pass@1": { again: (plan) => plannedAgain(plan, planOnePass), run: runOnePass },
  "output-perturbation@1": {
    again: (plan) => plannedAgain(plan, planOutputPerturbation),
    run: runOutputPerturbation,
  },
};

function algorithmOf(plan: ConvexPlan): (typeof algorithms)["noisy-descent@1"] {
  const name = plan?.algorithm;
  if (typeof name !== "string" || !Object.hasOwn(algorithms, name))
    throw invalidParameter("algorithm", name, `one of ${Object.keys(algorithms).join(", ")}`);
  return algorithms[name] as unknown as (typeof algorithms)["noisy-descent@1"];
}

/** Returns the plan that its own request gives. Errors: parameter.invalid for an unknown algorithm or a plan that was changed. */
export function checkedPlan(plan: ConvexPlan): ConvexPlan {
  return algorithmOf(plan).again(plan as DescentPlan);
}

/**
 * Runs a paid plan of any algorithm on rows, which stay sealed.
 * Errors: as the run of its algorithm.
 * @example runConvex(planDescent(request), { features, labels }, secureEntropy()) // => Float64Array [0.31, -0.07], say
 */
export function runConvex(plan: ConvexPlan, rows: RunRows, bits: BitSource): Float64Array {
  return algorithmOf(plan).run(plan as DescentPlan, rows, bits);
}
