import type { DescribedCategory, DescribedColumn, DescribedNumber, DescribedTask } from "./description.ts";

/** A sum over rows of the product of some numbers, for each combination of some columns' categories; of no number, a count. */
export interface NeededSum {
  readonly keys: readonly DescribedCategory[];
  readonly factors: readonly DescribedNumber[];
}

/**
 * Yields the sums that a task rests on. Regression, covariance and PCA need the second moments of a vector that holds 1, every number, and the
 * indicators of every category: the sums of products of any two of its parts. An indicator times itself is itself, and times another of its column 0.
 * Naive Bayes needs, in each class, rows, sums and squares of numbers, and rows of each category. Marginals are counts.
 */
export function* neededSums(task: DescribedTask): Iterable<NeededSum> {
  switch (task.kind) {
    case "marginals":
      for (const keys of task.marginals) yield { keys, factors: [] };
      return;
    case "naive-bayes": {
      const { target, features } = task;
      yield { keys: [target], factors: [] };
      for (const feature of features) {
        if (feature.kind === "category") yield { keys: [target, feature], factors: [] };
        else for (const factors of [[feature], [feature, feature]]) yield { keys: [target], factors };
      }
      return;
    }
    default:
      yield* secondMoments("target" in task ? [task.target, ...task.features] : task.features);
  }
}

function* secondMoments(columns: readonly DescribedColumn[]): Iterable<NeededSum> {
  yield { keys: [], factors: [] };
  for (const [at, one] of columns.entries()) {
    yield productOf([one]);
    for (const other of columns.slice(at + 1)) yield productOf([one, other]);
    if (one.kind === "number") yield { keys: [], factors: [one, one] };
  }
}

function productOf(columns: readonly DescribedColumn[]): NeededSum {
  return {
    keys: columns.filter((column) => column.kind === "category"),
    factors: columns.filter((column) => column.kind === "number"),
  };
}
