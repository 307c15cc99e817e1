export { applyLearnedBounds } from "./apply-learned-bounds.ts";
export { gridFor, gridOf } from "./grid.ts";
export { type Grouping, groupingsOf } from "./groupings.ts";
export {
  averageSetting,
  covarianceSetting,
  noiseOf,
  quantileSetting,
  selfCovarianceSetting,
  varianceSetting,
} from "./interval-settings.ts";
export { type LinearForm, linearForm } from "./linear-form.ts";
export { mergeOptions, type PlanOptions } from "./merge-options.ts";
export { noised } from "./noised.ts";
export type * from "./plan.ts";
export { planQuestion } from "./plan-question.ts";
export { relationOf, tablesRead } from "./plan-relation.ts";
export { releaseProgram, shownKey } from "./release-program.ts";
export { oneGroup, type RowNoise, rowNoiseName } from "./row-noise.ts";
export {
  type Reach,
  type Sensitivity as DerivedSensitivity,
  sensitivityOf,
  treeSensitivity,
} from "./sensitivity.ts";
export { verifyPlan } from "./verify.ts";
