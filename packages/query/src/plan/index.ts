export { answerSetting, mainSum, possibleSigns } from "./answer-setting.ts";
export { verifyPlan } from "./checks/verify.ts";
export * from "./error-target/index.ts";
export { type Grouping, groupingsOf, keyNames, measuredAt } from "./groupings.ts";
export { stagePlan } from "./learned-bounds/bounds-stage.ts";
export { chooseBounds } from "./learned-bounds/choose-bounds.ts";
export { type LinearForm, linearForm } from "./linear-form.ts";
export { mergeOptions, type PlanOptions } from "./merge-options.ts";
export { noiseOf } from "./noise-of.ts";
export { noised } from "./noised.ts";
export { noisyNumbers } from "./noisy-numbers.ts";
export { type Measures, measureAlone, measureJointly } from "./passes/measure-jointly.ts";
export type * from "./plan.ts";
export { tablesRead } from "./plan-relation.ts";
export { applyLearnedBounds } from "./question/apply-learned-bounds.ts";
export { planQuestion } from "./question/plan-question.ts";
export { composesOthers, planAlone, questionsOf } from "./question/plan-together.ts";
export { composesPlans, planWorkload, type WorkloadPlan } from "./question/plan-workload.ts";
export { shownColumns } from "./question/shown-columns.ts";
export { tablesAnswered } from "./question/tables-answered.ts";
export { questionBudget } from "./question-budget.ts";
export { releaseProgram, shownKey } from "./release-program.ts";
export { oneGroup, type RowNoise, rowNoiseName } from "./row-noise.ts";
export {
  type ContributionRange,
  type Sensitivity as DerivedSensitivity,
  sensitivityOf,
  treeSensitivity,
} from "./sensitivity.ts";
export { sumOf } from "./sum-of.ts";
export { combinedTotal, totalParts } from "./together/combined-total.ts";
export { pricedOnce } from "./together/priced-once.ts";
export { unitContribution } from "./unit-contribution.ts";
