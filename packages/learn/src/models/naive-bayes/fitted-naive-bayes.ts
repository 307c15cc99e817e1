import type { CategoryColumn, ModelColumn } from "../../model/model.ts";

/** A naive Bayes classifier in the columns' own units. JSON throughout. */
export interface FittedNaiveBayes {
  readonly version: 1;
  readonly kind: "naive-bayes";
  readonly target: CategoryColumn;
  readonly features: readonly ModelColumn[];
  /** In the order of the target's categories. */
  readonly classes: readonly ClassLaw[];
  readonly notes: readonly string[];
}

export interface ClassLaw {
  readonly logShare: number;
  /** In the order of the features. */
  readonly features: readonly FeatureLaw[];
}

export type FeatureLaw =
  | { readonly kind: "number"; readonly mean: number; readonly deviation: number }
  /** In the order of the column's categories. */
  | { readonly kind: "category"; readonly logShares: readonly number[] };
