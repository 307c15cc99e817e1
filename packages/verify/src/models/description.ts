import type { OwnersWords } from "../format/owners-words.ts";

/** The description of one of the models in a file: which rows, which columns, which task. Declared here once more. */
export type Description = MomentsDescription | KMeansDescription;

/** A model that is fitted to sums of products of its columns. */
export interface MomentsDescription extends OwnersWords {
  readonly version: 1;
  /** The table or view of the policy. */
  readonly source: string;
  /** The condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  readonly task: DescribedTask;
}

export type DescribedTask =
  | {
      readonly kind: "linear-regression" | "ridge-regression";
      readonly target: DescribedNumber;
      readonly features: readonly DescribedColumn[];
      readonly intercept: boolean;
      /** λ: 0 for a linear regression, above 0 for ridge. */
      readonly penalty: number;
    }
  | { readonly kind: "covariance"; readonly features: readonly DescribedNumber[] }
  | { readonly kind: "pca"; readonly features: readonly DescribedNumber[]; readonly components: number }
  | {
      readonly kind: "naive-bayes";
      readonly target: DescribedCategory;
      readonly features: readonly DescribedColumn[];
    }
  | { readonly kind: "marginals"; readonly marginals: readonly (readonly DescribedCategory[])[] };

/** A k-means: one question a step, each of which follows from the answers before. */
export interface KMeansDescription extends OwnersWords {
  readonly kind: "k-means";
  readonly version: 1;
  readonly source: string;
  readonly where: string | null;
  readonly features: readonly DescribedNumber[];
  readonly clusters: number;
  readonly steps: number;
}

export type DescribedColumn = DescribedNumber | DescribedCategory;

export interface DescribedNumber {
  readonly kind: "number";
  readonly name: string;
  readonly bounds: readonly [number, number];
  /** Whether rows may have NULL there, which are left out. */
  readonly nullable: boolean;
}

export interface DescribedCategory {
  readonly kind: "category";
  readonly name: string;
  readonly categories: readonly (string | number | boolean)[];
  readonly nullable: boolean;
}

export function isKMeans(description: Description): description is KMeansDescription {
  return "clusters" in description;
}

/** Returns every column that a description names, as often as it names it; a marginal's columns once each. */
export function columnsNamed(description: Description): readonly DescribedColumn[] {
  if (isKMeans(description)) return description.features;
  const { task } = description;
  if (task.kind === "marginals")
    return [...new Map(task.marginals.flat().map((column) => [JSON.stringify(column), column])).values()];
  return "target" in task ? [task.target, ...task.features] : task.features;
}
