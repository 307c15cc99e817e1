import type { Category, Model } from "../model/model.ts";
import type { NoisyStatistics } from "../moments/noisy-statistics.ts";
import { quoted } from "../sql/quoted.ts";
import type { Layout } from "../statistics/layout.ts";
import {
  type FittedCovariance,
  fitCovariance,
  squaredDistance,
  squaredDistanceSql,
} from "./covariance/covariance.ts";
import { cellShares, cellSharesSql, type FittedMarginals, fitMarginals } from "./marginals/marginals.ts";
import { fitNaiveBayes } from "./naive-bayes/fit-naive-bayes.ts";
import type { FittedNaiveBayes } from "./naive-bayes/fitted-naive-bayes.ts";
import { classScores, classScoresSql, classSql, predictClass } from "./naive-bayes/predict-naive-bayes.ts";
import { componentScores, componentsSql, type FittedPca, fitPca } from "./pca/pca.ts";
import { fitRegression } from "./regression/fit-regression.ts";
import type { FittedRegression } from "./regression/fitted-regression.ts";
import { predictRegression, regressionSql } from "./regression/predict-regression.ts";
import type { RowValues } from "./row-values.ts";

/** A model that was fitted to released sums: plain JSON. */
export type FittedModel =
  | FittedRegression
  | FittedCovariance
  | FittedPca
  | FittedNaiveBayes
  | FittedMarginals;

/** The scores that a model gives a row, by name; null where a column is missing. */
export type Scores = Readonly<Record<string, Category | null>>;

/**
 * Fits a model to the released sums of its layout. It reads released and public numbers alone, so it costs nothing, and no noise makes it fail.
 * Errors: release.invalid where the sums are those of another model.
 * @example fit(model, layoutOf(model), readStatistics(layoutOf(model), releases))
 */
export function fit(
  model: Model,
  layout: Layout,
  statistics: NoisyStatistics,
  confidence = 0.95,
): FittedModel {
  const { task } = model;
  switch (task.kind) {
    case "linear-regression":
    case "ridge-regression":
      return fitRegression(model, task, layout, statistics, confidence);
    case "covariance":
      return fitCovariance(model, task.features, layout, statistics);
    case "pca":
      return fitPca(model, task, layout, statistics);
    case "naive-bayes":
      return fitNaiveBayes(model, task, layout, statistics);
    case "marginals":
      return fitMarginals(model, task.marginals, layout, statistics);
  }
}

/** Applies a model to a row: values by the names of its columns. */
export function predict(fitted: FittedModel, row: RowValues): Scores {
  const names = scoreNames(fitted);
  const named = (values: readonly (Category | null)[] | null): Scores =>
    Object.fromEntries(names.map((name, at) => [name, values?.[at] ?? null]));
  switch (fitted.kind) {
    case "linear-regression":
    case "ridge-regression":
      return named([predictRegression(fitted, row)]);
    case "covariance":
      return named([squaredDistance(fitted, row)]);
    case "pca":
      return named(componentScores(fitted, row));
    case "naive-bayes":
      return named([predictClass(fitted, row), ...(classScores(fitted, row) ?? [])]);
    case "marginals":
      return named(cellShares(fitted, row));
  }
}

/** Writes the same as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. @example `SELECT ${toSql(fitted)} FROM people` */
export function toSql(fitted: FittedModel): string {
  const expressions = expressionsOf(fitted);
  return scoreNames(fitted)
    .map((name, at) => `${expressions[at] ?? "NULL"} AS ${quoted(name)}`)
    .join(", ");
}

/** Writes a model as JSON. */
export function toJson(fitted: FittedModel): string {
  return JSON.stringify(fitted, null, 2);
}

function expressionsOf(fitted: FittedModel): readonly string[] {
  switch (fitted.kind) {
    case "linear-regression":
    case "ridge-regression":
      return [regressionSql(fitted)];
    case "covariance":
      return [squaredDistanceSql(fitted)];
    case "pca":
      return componentsSql(fitted);
    case "naive-bayes":
      return [classSql(fitted), ...classScoresSql(fitted)];
    case "marginals":
      return cellSharesSql(fitted);
  }
}

function scoreNames(fitted: FittedModel): readonly string[] {
  switch (fitted.kind) {
    case "linear-regression":
    case "ridge-regression":
      return ["prediction"];
    case "covariance":
      return ["squared_distance"];
    case "pca":
      return fitted.components.map((_, k) => `component_${k + 1}`);
    case "naive-bayes":
      return ["prediction", ...fitted.target.categories.map((category) => `score_${category}`)];
    case "marginals":
      return fitted.tables.map(({ columns }) => `share_of_${columns.map(({ name }) => name).join("_")}`);
  }
}
