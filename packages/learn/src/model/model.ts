import type { OwnersWords } from "./owners-words.ts";

/** A model that was checked against a policy: which rows, which columns as what, and which task. JSON throughout. */
export interface Model extends OwnersWords {
  readonly version: 1;
  /** The table or view of the policy. */
  readonly source: string;
  /** The condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  readonly task: Task;
}

export type Task =
  | RegressionTask
  | { readonly kind: "covariance"; readonly features: readonly NumberColumn[] }
  | { readonly kind: "pca"; readonly features: readonly NumberColumn[]; readonly components: number }
  | {
      readonly kind: "naive-bayes";
      readonly target: CategoryColumn;
      readonly features: readonly ModelColumn[];
    }
  | { readonly kind: "marginals"; readonly marginals: readonly (readonly CategoryColumn[])[] };

export interface RegressionTask {
  readonly kind: "linear-regression" | "ridge-regression";
  readonly target: NumberColumn;
  readonly features: readonly ModelColumn[];
  readonly intercept: boolean;
  /**
   * λ ≥ 0, public: λ·Σβ² is added to the sum of squares, where β are the coefficients of columns scaled to half the width of their bounds, and
   * of categories; the intercept is free. 0 for linear regression.
   */
  readonly penalty: number;
}

export type ModelColumn = NumberColumn | CategoryColumn;

/** A number with public bounds lo < hi. */
export interface NumberColumn {
  readonly kind: "number";
  readonly name: string;
  readonly bounds: readonly [number, number];
  /** Whether rows may have NULL there, which are left out. */
  readonly nullable: boolean;
}

/** A text, a boolean or an integer with public categories; any other value is NULL, or the policy's default. */
export interface CategoryColumn {
  readonly kind: "category";
  readonly name: string;
  readonly categories: readonly Category[];
  readonly nullable: boolean;
}

/** A column as a plan or a trained model holds it: what is public of its values. */
export type DeclaredColumn = Omit<NumberColumn, "nullable"> | Omit<CategoryColumn, "nullable">;

export type Category = string | number | boolean;
