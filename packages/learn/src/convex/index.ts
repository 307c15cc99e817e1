export { type DescentPlan, type DescentRequest, planDescent } from "./descent/plan-descent.ts";
export { runDescent } from "./descent/run-descent.ts";
export { type LossDescription, lossOf } from "./losses/loss-of.ts";
export type { ScalarLoss } from "./losses/scalar-loss.ts";
export { type ConvexProblem, constantsOf, type ProblemConstants } from "./problem/convex-problem.ts";
export type { ConvexReport, ExcessBound } from "./report/convex-report.ts";
export type { OwnedRows } from "./rows/unit-rows.ts";
