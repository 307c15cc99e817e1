import { rowsOfModel } from "../../model/missing-rows.ts";
import type { Model, RegressionTask } from "../../model/model.ts";
import { momentsOf } from "../../moments/noisy-moments.ts";
import type { NoisyStatistics } from "../../moments/noisy-statistics.ts";
import type { Layout } from "../../statistics/layout.ts";
import { coefficientHalfWidths } from "./coefficient-intervals.ts";
import { designOf, formAt } from "./design.ts";
import type { Coefficient, FeatureCoefficient, FittedRegression } from "./fitted-regression.ts";
import { solveNoisy } from "./noisy-solution.ts";

/**
 * Fits a linear or ridge regression to noisy sums. Post-processing: it reads released numbers and public ones alone, and no noise makes it fail.
 * Intervals keep the covariance that noise has between all sums. Source: Fuller 1987, Sec. 2.2, for errors in XᵀX.
 */
export function fitRegression(
  model: Model,
  task: RegressionTask,
  layout: Layout,
  statistics: NoisyStatistics,
  confidence: number,
): FittedRegression {
  const moments = momentsOf(layout, statistics);
  const design = designOf(task, layout, moments.features);
  const solution = solveNoisy(moments, design, task.penalty);
  const halfWidth = solution.drowned ? null : coefficientHalfWidths(moments, design, solution, confidence);
  const fitted = design.reported.map((reported) => {
    const value = formAt(reported, solution.beta);
    const reach = halfWidth?.(reported.form) ?? null;
    const coefficient: Coefficient = {
      value,
      interval: reach === null ? null : { lower: value - reach, upper: value + reach },
    };
    return { ...coefficient, column: reported.column, category: reported.category };
  });
  const intercept = fitted.find(({ column }) => column === null);
  return {
    version: 1,
    kind: task.kind,
    target: task.target,
    features: task.features,
    penalty: task.penalty,
    intercept: intercept ? { value: intercept.value, interval: intercept.interval } : null,
    coefficients: fitted.filter((each): each is FeatureCoefficient => each.column !== null),
    confidence,
    drowned: solution.drowned,
    notes: notesOf(model, task, solution.drowned, confidence),
  };
}

function notesOf(
  model: Model,
  { penalty }: RegressionTask,
  drowned: boolean,
  confidence: number,
): readonly string[] {
  const rows = "the rows in the database, cleaned and limited as the policy says, and not of a population";
  return [
    drowned
      ? "the noise is not small beside the data in some direction, so coefficients have no intervals"
      : `an interval holds, with a confidence of about ${confidence}, the coefficient of ${rows}${penalty > 0 ? `, with the penalty ${penalty}` : ""}`,
    ...rowsOfModel(model),
  ];
}
