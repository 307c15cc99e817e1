import { LetheError, type PrivacyLoss, parseRational, toDouble, toText } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import {
  type ConvexMethod,
  type ConvexModel,
  type ConvexPlan,
  type ConvexTask,
  type PlanBudget,
  planConvexTask,
  readConvexTask,
  type TuningPlan,
  trainSealedConvex,
} from "@lethe/learn/convex";
import type { RowModel, TrainingTerms } from "./row-model.ts";

/** What is public of a convex model's training: what is minimised, in how many steps, and what is proven. */
export interface ExplainedConvex {
  readonly kind: "convex";
  /** How many weights there are. */
  readonly weights: number;
  readonly units: number;
  /** One, or the candidates of a choice. */
  readonly plans: readonly ExplainedPlan[];
  /** How one of the candidates is chosen; null where there is one. */
  readonly tuning: { readonly tries: number; readonly report: TuningPlan["report"] } | null;
}

export interface ExplainedPlan {
  readonly algorithm: ConvexPlan["algorithm"];
  readonly loss: string;
  readonly radius: number;
  /** Steps of the whole: over all rows, or in a pass over them. */
  readonly steps: number;
  readonly report: ConvexPlan["report"];
}

/** Convex problems with proven bounds. */
export const convex: RowModel<ConvexModel, ExplainedConvex> = {
  async read(text, policy) {
    const task = await readConvexTask(text, policy);
    return {
      task,
      noun: "convex model",
      plan(terms) {
        const { adjacency, rowsPerUnit } = terms;
        const training = planConvexTask(task, { adjacency, rowsPerUnit, budget: convexBudget(task, terms) });
        const { source, where } = task;
        return {
          plan: { ...training, source, where },
          explained: explainedConvex(training.method),
          run: async (rows, { entropy }) => trainSealedConvex(training, rows, entropy),
        };
      },
    };
  },
};

const steps: {
  readonly [A in ConvexPlan["algorithm"]]: (plan: Extract<ConvexPlan, { readonly algorithm: A }>) => number;
} = {
  "noisy-descent@1": (plan) => plan.steps,
  "frank-wolfe@1": (plan) => plan.steps,
  "localization@1": ({ phases }) => phases.reduce((sum, { units }) => sum + units, 0),
  "one-pass@1": ({ schedule }) => schedule.steps,
  "output-perturbation@1": ({ solver }) => solver.steps,
  "objective-perturbation@1": ({ solver }) => solver.steps,
};

/** Returns what is public of a training: a function of its plan alone. */
export function explainedConvex(method: ConvexMethod): ExplainedConvex {
  const isTuning = method.algorithm === "tuning@1";
  const plans = isTuning ? method.request.candidates : [method];
  const { problem, units } = elementAt(plans, 0).request;
  return {
    ...{ kind: "convex", weights: problem.dimension, units, plans: plans.map(explainedPlan) },
    tuning: isTuning ? { tries: triesOf(method), report: method.report } : null,
  };
}

function explainedPlan(plan: ConvexPlan): ExplainedPlan {
  const { algorithm, request, report } = plan;
  const { loss, radius } = request.problem;
  const stepsOf = steps[algorithm] as (plan: ConvexPlan) => number;
  return { algorithm, loss: loss.name, radius, steps: stepsOf(plan), report };
}

/** The mean of a geometric number of tries. */
function triesOf({ request }: TuningPlan): number {
  return 1 / toDouble(parseRational(request.trials.stop), "down");
}

/**
 * A price as a convex plan takes it: ρ of a zCDP account as such, with the δ at which its ε is told. Frank–Wolfe chooses, and has a price in pure
 * DP; all others draw Gaussian noise, and a random number of tries has none there either. Errors: query.unsupported in pure DP; query.missing-delta for a δ
 * of 0.
 */
function convexBudget({ choices, tuning }: ConvexTask, { budget, toldDelta }: TrainingTerms): PlanBudget {
  if (budget.measure === "zcdp") return { rho: toText(budget.rho), delta: toText(toldDelta) };
  const delta = deltaOf(budget);
  const { name } = elementAt(choices, 0).choice.algorithm;
  if (delta !== "0" || (tuning === null && name === "frank-wolfe"))
    return { epsilon: toText(budget.epsilon), delta };
  const what = tuning === null ? `algorithm: ${name} has Gaussian noise, which` : "a choice among candidates";
  if (budget.measure === "pure")
    throw new LetheError("query.unsupported", `${what} has no price in pure DP`, {
      fix: "write algorithm: frank-wolfe, whose choices have one, or keep the account in approximate DP or zCDP",
    });
  throw new LetheError("query.missing-delta", `${what} needs a delta`, {
    fix: "state delta, as in --delta 1e-6; well below 1/people is usual",
  });
}

function deltaOf(budget: Exclude<PrivacyLoss, { readonly measure: "zcdp" }>): string {
  return budget.measure === "pure" ? "0" : toText(budget.delta);
}
