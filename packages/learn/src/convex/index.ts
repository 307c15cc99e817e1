export { type DescentPlan, type DescentRequest, planDescent } from "./descent/plan-descent.ts";
export { runDescent } from "./descent/run-descent.ts";
export {
  type FrankWolfePlan,
  type FrankWolfeRequest,
  planFrankWolfe,
} from "./frank-wolfe/plan-frank-wolfe.ts";
export { runFrankWolfe } from "./frank-wolfe/run-frank-wolfe.ts";
export {
  type LocalizationPlan,
  type LocalizationRequest,
  planLocalization,
} from "./localization/plan-localization.ts";
export { runLocalization } from "./localization/run-localization.ts";
export { type LossDescription, lossOf } from "./losses/loss-of.ts";
export type { ScalarLoss } from "./losses/scalar-loss.ts";
export { convexToJson, readConvex } from "./model/convex-json.ts";
export type { ConvexModel } from "./model/convex-model.ts";
export { convexSql } from "./model/convex-sql.ts";
export { convexEntries, convexScore, predictConvex } from "./model/predict-convex.ts";
export {
  type ObjectivePerturbationPlan,
  type ObjectivePerturbationRequest,
  planObjectivePerturbation,
} from "./objective-perturbation/plan-objective-perturbation.ts";
export { runObjectivePerturbation } from "./objective-perturbation/run-objective-perturbation.ts";
export { type OnePassPlan, type OnePassRequest, planOnePass } from "./one-pass/plan-one-pass.ts";
export { runOnePass } from "./one-pass/run-one-pass.ts";
export {
  type OutputPerturbationPlan,
  type OutputPerturbationRequest,
  planOutputPerturbation,
} from "./output-perturbation/plan-output-perturbation.ts";
export { runOutputPerturbation } from "./output-perturbation/run-output-perturbation.ts";
export type { PlainNumber, PlanBudget } from "./problem/budget.ts";
export { type ConvexProblem, constantsOf, type ProblemConstants } from "./problem/convex-problem.ts";
export type { ConvexReport, ExcessBound } from "./report/convex-report.ts";
export type { OwnedRows } from "./rows/owned-rows.ts";
export type { RunRows } from "./rows/sealed-rows.ts";
export type { ConvexTask } from "./task/convex-task.ts";
export { type ConvexTerms, planConvexTask } from "./task/plan-convex-task.ts";
export { readConvexTask } from "./task/read-convex-task.ts";
export type { ConvexMethod, ConvexTraining } from "./training/convex-training.ts";
export { trainSealedConvex } from "./training/train-sealed-convex.ts";
export { type ConvexPlan, runConvex } from "./tuning/convex-plan.ts";
export { planTuning, type TuningPlan, type TuningRequest } from "./tuning/plan-tuning.ts";
export { runTuning, type Tuned } from "./tuning/run-tuning.ts";
