import type { DeclaredColumn } from "../model/model.ts";

/**
 * Columns as the entries of a vector: a number is scaled about the middle of its public bounds to [−1, 1], and each category has an entry of its own,
 * which is 1 in its rows and else 0. NULL, and a value that is no category, is 0 in all entries of its column.
 */
export interface Design {
  readonly columns: readonly DeclaredColumn[];
  /** Whether a first entry is 1 in all rows. */
  readonly intercept: boolean;
}

/** One entry of a design's vector. */
export type DesignEntry =
  | { readonly kind: "intercept" }
  | { readonly kind: "number"; readonly column: number }
  | { readonly kind: "category"; readonly column: number; readonly place: number };

/** The entries of a design's vector, in order. */
export function entriesOf({ columns, intercept }: Design): readonly DesignEntry[] {
  const own = columns.flatMap((column, at): readonly DesignEntry[] =>
    column.kind === "number"
      ? [{ kind: "number", column: at }]
      : column.categories.map((_, place) => ({ kind: "category", column: at, place })),
  );
  return intercept ? [{ kind: "intercept" }, ...own] : own;
}

/** The length of a design's vector. */
export function designWidth(design: Design): number {
  return entriesOf(design).length;
}

/**
 * The largest squared ℓ2 norm of a row's vector: 1 for the intercept, 1 for each number, 1 for each column of categories, of which one entry at most is
 * 1. The largest size of an entry is 1.
 * @example mostSquaredNorm({ columns: [age, sector], intercept: true }) // => 3
 */
export function mostSquaredNorm({ columns, intercept }: Design): number {
  return columns.length + (intercept ? 1 : 0);
}
