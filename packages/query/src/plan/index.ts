export { gridFor, gridOf } from "./grid.ts";
export { averageSetting, varianceSetting } from "./interval-settings.ts";
export { type LinearForm, linearForm } from "./linear-form.ts";
export type { PlanOptions } from "./passes/track-unit.ts";
export type * from "./plan.ts";
export { planQuestion } from "./plan-question.ts";
export { releaseProgram } from "./release-program.ts";
export { type Reach, type Sensitivity as DerivedSensitivity, sensitivityOf } from "./sensitivity.ts";
export { verifyPlan } from "./verify.ts";
