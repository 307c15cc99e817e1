import type { Adjacency } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { declaredColumn } from "../../model/declared-column.ts";
import { planDescent } from "../descent/plan-descent.ts";
import { theoremSteps } from "../descent/theorem-setting.ts";
import { planFrankWolfe } from "../frank-wolfe/plan-frank-wolfe.ts";
import { planLocalization } from "../localization/plan-localization.ts";
import { planObjectivePerturbation } from "../objective-perturbation/plan-objective-perturbation.ts";
import { planOnePass } from "../one-pass/plan-one-pass.ts";
import { planOutputPerturbation } from "../output-perturbation/plan-output-perturbation.ts";
import { budgetOf, type PlanBudget } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { mostRows } from "../rows/unit-gradient.ts";
import { type ConvexTraining, problemOf } from "../training/convex-training.ts";
import type { ConvexPlan } from "../tuning/convex-plan.ts";
import { tuningWithin } from "../tuning/tuning-within.ts";
import type { AlgorithmChoice, AlgorithmName, ConvexTask, PlacedChoice } from "./convex-task.ts";
import { refusedAt } from "./refused-at.ts";

/** What is public of a training beside its description. */
export interface ConvexTerms {
  readonly budget: PlanBudget;
  readonly adjacency: Adjacency;
  /** The most rows that one unit has. */
  readonly rowsPerUnit: number;
}

/** Descent takes no more steps than this unless it is told to: each reads every row. */
const mostUsualSteps = 1000;
const fewestSteps = 100;

/**
 * Plans the training of a described model. Errors: model.invalid, with the line, the theorem and its condition, for a description that the
 * theorem of its algorithm does not cover at these terms; parameter.invalid for terms that are none.
 */
export function planConvexTask(task: ConvexTask, terms: ConvexTerms): ConvexTraining {
  const { intercept, tuning, choices } = task;
  const features = task.features.map(declaredColumn);
  const columns = { features, intercept };
  const shown = {
    ...({ kind: "convex-plan", version: 1 } as const),
    ...{ target: declaredColumn(task.target), ...columns },
  };
  const first = elementAt(choices, 0);
  if (tuning === null) {
    const method = plannedChoice(task, first, terms);
    return { ...shown, method, event: method.event };
  }
  const radius = Math.max(...choices.map(({ choice }) => choice.radius));
  try {
    const method = tuningWithin(terms.budget, {
      plansAt: (budget) => choices.map((placed) => plannedChoice(task, placed, { ...terms, budget })),
      // All are judged by the loss of the first, within the widest ball.
      problem: problemOf(columns, { loss: first.choice.loss, radius, norm: "l2" }),
      ...tuning,
    });
    return { ...shown, method, event: method.charge };
  } catch (error) {
    throw refusedAt(task, first, error);
  }
}

/** Plans one choice. Errors: model.invalid, at its place. */
function plannedChoice(task: ConvexTask, placed: PlacedChoice, terms: ConvexTerms): ConvexPlan {
  const { loss, radius, algorithm } = placed.choice;
  const norm = algorithm.name === "frank-wolfe" ? "max" : "l2";
  try {
    checkRowsPerUnit(algorithm.name, terms.rowsPerUnit);
    const columns = { features: task.features.map(declaredColumn), intercept: task.intercept };
    const problem = problemOf(columns, { loss, radius, norm });
    return methodOf(algorithm, { problem, units: task.units, ...terms });
  } catch (error) {
    throw refusedAt(task, placed, error);
  }
}

interface Asked extends Omit<ConvexTerms, "rowsPerUnit"> {
  readonly problem: ConvexProblem;
  readonly units: number;
}

function methodOf(algorithm: AlgorithmChoice, { problem, units, adjacency, budget }: Asked): ConvexPlan {
  const asked = { problem, units, adjacency, ...budget };
  const { name: _, ...settings } = algorithm;
  switch (algorithm.name) {
    case "descent":
      return planDescent({
        ...usualSteps(algorithm.noise, asked),
        ...asked,
        ...settings,
        noise: algorithm.noise,
      });
    case "localization":
      return planLocalization({ ...asked, ...settings });
    case "one-pass":
      return planOnePass({ ...asked, ...settings });
    case "output-perturbation":
      return planOutputPerturbation({ ...asked, ...settings });
    case "objective-perturbation":
      return planObjectivePerturbation(asked);
    case "frank-wolfe":
      return planFrankWolfe({ ...asked, ...settings });
  }
}

/** The steps of descent where they are left open: the theorem's own for its noise, and for the least noise no more than a person will wait for. */
function usualSteps(
  noise: "tight" | "theorem",
  asked: { readonly problem: ConvexProblem; readonly units: number } & PlanBudget,
): { readonly steps?: number } {
  if (noise === "theorem") return {};
  const { lipschitz, radius } = constantsOf(asked.problem);
  const { epsilonNumber, deltaNumber } = budgetOf(asked);
  const enough = theoremSteps({
    ...{ units: asked.units, dimension: asked.problem.dimension, lipschitz, diameter: 2 * radius },
    ...{ epsilon: epsilonNumber, delta: deltaNumber },
  });
  return { steps: Math.min(mostUsualSteps, Math.max(fewestSteps, enough)) };
}

function checkRowsPerUnit(algorithm: AlgorithmName, rows: number): void {
  const most = algorithm === "objective-perturbation" ? 1 : mostRows;
  if (rows <= most) return;
  throw violatedCondition({
    ...{ name: "rows", value: rows, theorem: "the loss of a unit" },
    condition: `at most ${most} rows a unit, since others would not count`,
    fix: "let a unit have fewer rows",
  });
}
