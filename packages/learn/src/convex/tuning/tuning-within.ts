import { rhoFromEpsilon } from "@lethe/core/accounting";
import { toDouble } from "@lethe/core/numeric";
import { budgetOf, type PlanBudget } from "../problem/budget.ts";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import type { ConvexPlan } from "./convex-plan.ts";
import { planTuning, type TuningPlan } from "./plan-tuning.ts";

/** What is chosen among, and how. */
export interface TuningSetting {
  /** The candidates at a price, which is a ρ. */
  plansAt(budget: PlanBudget): readonly ConvexPlan[];
  /** By whose loss candidates are compared. */
  readonly problem: ConvexProblem;
  /** How many tries there are on average; their number is geometric. */
  readonly tries: number;
  /** The share of the ρ of one try that its score takes. */
  readonly scoreShare: number;
}

/** Each look costs an account of all tries. */
const mostLooks = 8;
/** A price that is within this share of the budget is near enough. */
const near = 0.98;

/**
 * Plans a choice whose certified price is within a budget: one try has the ρ at which that of all tries is, nearly as large as fits. The price grows about as √ρ, which the search
 * uses and no promise rests on: what is returned was priced.
 * Errors: parameter.invalid, which names the condition, for a budget in zCDP, or one for which no ρ of the search fits; those of planning.
 */
export function tuningWithin(within: PlanBudget, setting: TuningSetting): TuningPlan {
  const { problem, tries, scoreShare } = setting;
  const { epsilon, delta, epsilonNumber, rho: asked } = budgetOf(within);
  if (asked !== null)
    throw violatedCondition({
      ...{ name: "candidates", value: "a list", theorem, condition: "an (ε, δ) budget: it proves no ρ" },
      fix: "plan one of the candidates, or keep the account in approximate DP",
    });
  let best: { readonly rho: number; readonly plan: TuningPlan } | null = null;
  let rho = toDouble(rhoFromEpsilon(epsilon, delta), "down") / 2;
  for (let look = 0; look < mostLooks; look += 1) {
    const one = short(rho * (1 - scoreShare));
    const plan = planTuning({
      candidates: setting.plansAt({ rho: one, delta: within.delta }),
      score: { problem, rho: short(rho * scoreShare) },
      trials: { shape: "1", stop: `1/${tries}` },
      delta: within.delta,
    });
    const price = plan.report.price.epsilon;
    if (price <= epsilonNumber && rho > (best?.rho ?? 0)) best = { rho, plan };
    if (price <= epsilonNumber && price >= near * epsilonNumber) break;
    rho *= Math.min(8, Math.max(1 / 8, ((epsilonNumber * (1 + near)) / (2 * price)) ** 2));
  }
  if (best !== null) return best.plan;
  throw violatedCondition({
    ...{
      name: "candidates",
      value: "a list",
      theorem,
      condition: "an ε that pays for one try and its score",
    },
    fix: "ask for a larger ε, or for one of the candidates",
  });
}

const theorem = "repeat-and-select (Papernot & Steinke 2022)";

/** Six digits, rounded down. */
function short(x: number): number {
  const rounded = Number(x.toPrecision(6));
  return rounded <= x ? rounded : Number((x * (1 - 2e-6)).toPrecision(6));
}
