import { type BitSource, type Event, invalidParameter } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { computeSealed, type Exact, type UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { ConvexModel } from "../model/convex-model.ts";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import type { OwnedRows } from "../rows/owned-rows.ts";
import { type ConvexPlan, runConvex } from "../tuning/convex-plan.ts";
import { runTuning } from "../tuning/run-tuning.ts";
import { type ConvexMethod, type ConvexTraining, problemOf } from "./convex-training.ts";
import { ownedRows } from "./owned-rows-of.ts";

/**
 * Runs a planned training on rows that stay sealed: their columns are the features in their order, and then the target, a number as it stands and a
 * category as its place, NaN for NULL. A row without a target adds nothing. The event of the training is to be charged before.
 * Errors: parameter.invalid, before a row is read, for a training that its description does not give; internal.invariant where a column is missing.
 * No value of a row makes it fail.
 */
export function trainSealedConvex(
  training: ConvexTraining,
  rows: Exact<UnitRows>,
  bits: BitSource,
): ConvexModel {
  checkTraining(training);
  const { target, features, intercept, method, event } = training;
  const owned = computeSealed(rows, (units) => ownedRows(training, units));
  const { plan, weights, tuning } = trained(method, owned, bits);
  const { algorithm, request, report } = plan;
  return {
    ...({ kind: "convex", version: 1 } as const),
    ...{ target, features, intercept, loss: request.problem.loss, weights: [...weights] },
    ...{ algorithm, report, tuning, adjacency: request.adjacency, event },
  };
}

interface Trained extends Pick<ConvexModel, "tuning"> {
  readonly plan: ConvexPlan;
  readonly weights: Float64Array;
}

function trained(method: ConvexMethod, rows: Exact<OwnedRows>, bits: BitSource): Trained {
  if (method.algorithm !== "tuning@1")
    return { plan: method, weights: runConvex(method, rows, bits), tuning: null };
  const { candidate, weights, score } = runTuning(method, rows, bits);
  const plan = elementAt(method.request.candidates, candidate);
  return { plan, weights, tuning: { candidate, score, report: method.report } };
}

/** Errors: parameter.invalid where bounds are not those of the columns, or another event is charged than that of what runs. */
function checkTraining({ method, event, ...training }: ConvexTraining): void {
  const isDue = (problem: ConvexProblem): boolean => {
    const { loss, radius, features } = problem;
    return (
      canonicalJson(problem) === canonicalJson(problemOf(training, { loss, radius, norm: features.norm }))
    );
  };
  const { problems, charged } = boundBy(method);
  if (!problems.every(isDue) || canonicalJson(event) !== canonicalJson(charged))
    throw invalidParameter("training", "another", "as it was planned: plan it again");
}

/** Every problem by whose bounds rows are read, and what is charged. */
function boundBy(method: ConvexMethod): {
  readonly problems: readonly ConvexProblem[];
  readonly charged: Event;
} {
  if (method.algorithm !== "tuning@1") return { problems: [method.request.problem], charged: method.event };
  const { candidates, score } = method.request;
  const problems = [score.problem, ...candidates.map(({ request }) => request.problem)];
  return { problems, charged: method.charge };
}
