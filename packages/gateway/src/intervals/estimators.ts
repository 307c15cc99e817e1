import { answerSetting, type Estimator, familyOf, oneGroup, type Plan, type RowNoise } from "@lethe/query";

/** One estimator an aggregate of the plan, by its name, of rows that hold this noise; what does not depend on the row is computed once. */
export function estimators(
  plan: Plan,
  confidence: number,
  row: RowNoise = oneGroup,
): ReadonlyMap<string, Estimator> {
  const setting = answerSetting(plan, confidence, row);
  return new Map(
    plan.aggregates.map((aggregate) => [aggregate.name, familyOf(aggregate).estimator(aggregate, setting)]),
  );
}
