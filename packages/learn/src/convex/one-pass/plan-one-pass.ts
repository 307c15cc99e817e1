import type { Adjacency, Event } from "@lethe/core";
import { ceilTo, fromDouble, toDouble, toText } from "@lethe/core/numeric";
import { budgetOf, type PlanBudget, rhoOf } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireEuclidean } from "../problem/require-euclidean.ts";
import { requireReplaceOne } from "../problem/require-replace-one.ts";
import { requireContraction, requireSmooth } from "../problem/require-smooth.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { bestSchedule, type PassSchedule } from "./pass-schedule.ts";

/** What is asked of a one-pass run. Everything in it is public. */
export type OnePassRequest = PlanBudget & {
  readonly problem: ConvexProblem;
  /** n, declared: every unit is read once. */
  readonly units: number;
  readonly adjacency: Adjacency;
  /** η; the one of least proven excess unless stated. */
  readonly stepSize?: number;
};

/** A paid one-pass run, before any data. */
export interface OnePassPlan {
  readonly algorithm: "one-pass@1";
  readonly request: OnePassRequest;
  readonly schedule: PassSchedule;
  readonly event: Event;
  readonly report: ConvexReport & {
    /** ρ of a pass in which every iterate were released: what composition alone would charge the unit of the smallest batch. */
    readonly rhoWithoutIteration: number;
  };
}

const theorem = "amplification by iteration (Feldman, Mironov, Talwar & Thakurta 2018, Thm 22)";

/**
 * Plans one pass of smooth stochastic gradient descent whose last iterate alone is released. A unit is hidden by the noise of all steps after its own;
 * batches grow toward the end, where few follow.
 * Source: Feldman, Mironov, Talwar & Thakurta 2018; Feldman, Koren & Talwar 2020 (C §3); proof: ./one-pass.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a smooth convex loss, declared ℓ2 bounds, η ≤ 2/β, a public number of units that suffices.
 * @example planOnePass({ problem, units: 10000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 }).schedule.steps
 */
export function planOnePass(request: OnePassRequest): OnePassPlan {
  const { problem, units, adjacency, stepSize } = request;
  const constants = constantsOf(problem);
  requireEuclidean(problem, theorem);
  const smoothness = requireSmooth(constants, { loss: problem.loss.name, theorem });
  checkPublicUnits(units);
  requireReplaceOne(adjacency, theorem);
  if (stepSize !== undefined) requireContraction(stepSize, smoothness, theorem);
  const budget = budgetOf(request);
  const { lipschitz, radius } = constants;
  const schedule = bestSchedule({
    ...{ units, dimension: problem.dimension, lipschitz, smoothness, radius },
    ...{ rho: toDouble(rhoOf(budget), "down"), stepSize: stepSize ?? null },
  });
  if (schedule === null)
    throw violatedCondition({
      ...{ name: "units", value: units, theorem, condition: "batches that the units reach for" },
      fix: "declare more units, or a larger ε",
    });
  const rho = toText(ceilTo(fromDouble(schedule.rho), 1n << 60n));
  const event: Event = { kind: "zcdp", version: 1, rho, of: "noisy-iteration" };
  const smallest = Math.ceil(Math.sqrt(schedule.spread / schedule.steps));
  return {
    ...{ algorithm: "one-pass@1", request, schedule, event },
    report: {
      ...reportOf(constants, { event, adjacency, budget, risk: "population", proven: schedule.excess }),
      rhoWithoutIteration: ((2 * lipschitz) / smallest / schedule.sigma) ** 2 / 2,
    },
  };
}
