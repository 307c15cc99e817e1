import { answerSetting, type Estimator, familyOf, oneGroup, type Plan, type RowNoise } from "@lethe/query";

/** One estimator an aggregate of the plan, of rows that hold this noise; what does not depend on the row is computed once. */
export function estimators(plan: Plan, confidence: number, row: RowNoise = oneGroup): readonly Estimator[] {
  const setting = answerSetting(plan, confidence, row);
  return plan.aggregates.map((aggregate) => familyOf(aggregate).estimator(aggregate, setting));
}
