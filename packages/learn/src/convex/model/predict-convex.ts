import { doubleAt, elementAt } from "@lethe/core/numeric";
import { entriesOf } from "../../design/design.ts";
import { designRow, unscaled } from "../../design/design-row.ts";
import type { Scores } from "../../models/fitted-model.ts";
import type { RowValues } from "../../models/row-values.ts";
import type { ConvexModel } from "./convex-model.ts";

/** The score beyond which a probability is 0 or 1 to 17 digits. */
export const largestScore = 40;

/** Whether a model's score is the logarithm of odds, so that it has a probability. */
export function hasProbability({ target, loss }: Pick<ConvexModel, "target" | "loss">): boolean {
  return target.kind === "category" && loss.name === "logistic";
}

/** What each weight is of, in the words of the columns: "intercept", "age", "sector = trade". */
export function convexEntries({
  features,
  intercept,
}: Pick<ConvexModel, "features" | "intercept">): readonly string[] {
  return entriesOf({ columns: features, intercept }).map((entry) => {
    if (entry.kind === "intercept") return "intercept";
    const column = elementAt(features, entry.column);
    return entry.kind === "category" && column.kind === "category"
      ? `${column.name} = ${elementAt(column.categories, entry.place)}`
      : column.name;
  });
}

/** Returns ⟨weights, the row's vector⟩. A row without any value has a score too. */
export function convexScore({ features, intercept, weights }: ConvexModel, row: RowValues): number {
  const vector = designRow({ columns: features, intercept }, row);
  return weights.reduce((score, weight, at) => score + weight * doubleAt(vector, at), 0);
}

/**
 * Applies a model to a row, values by the names of its columns. A number: { prediction }, within the target's bounds. Two categories: { score,
 * prediction }, and under the logistic loss the probability of the second.
 */
export function predictConvex(model: ConvexModel, row: RowValues): Scores {
  const score = convexScore(model, row);
  const { target } = model;
  if (target.kind === "number") return { prediction: unscaled(target, score) };
  const within = Math.max(-largestScore, Math.min(largestScore, score));
  return {
    score,
    ...(hasProbability(model) ? { probability: 1 / (1 + Math.exp(-within)) } : {}),
    prediction: elementAt(target.categories, score > 0 ? 1 : 0),
  };
}
