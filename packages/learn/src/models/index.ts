export type { FittedCovariance } from "./covariance/covariance.ts";
export { type FittedModel, fit, predict, type Scores, toJson, toSql } from "./fitted-model.ts";
export type { FittedMarginals, MarginalTable } from "./marginals/marginals.ts";
export type { ClassLaw, FeatureLaw, FittedNaiveBayes } from "./naive-bayes/fitted-naive-bayes.ts";
export type { Component, FittedPca } from "./pca/pca.ts";
export type { Coefficient, FeatureCoefficient, FittedRegression } from "./regression/fitted-regression.ts";
export type { RowValues } from "./row-values.ts";
