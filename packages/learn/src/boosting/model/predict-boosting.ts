import { elementAt } from "@lethe/core/numeric";
import type { Scores } from "../../models/fitted-model.ts";
import { categoryPlace, clampedValue, type RowValues } from "../../models/row-values.ts";
import { edgesUpTo } from "../plan/cells-of-rows.ts";
import type { BoostedModel, Shape } from "./boosted-model.ts";

/** The score beyond which a probability is 0 or 1 to 17 digits. */
export const largestScore = 40;

/** The place of a row's bin; null for the bin of rows without a value. */
export function binOf(shape: Shape, row: RowValues): number | null {
  if (shape.kind === "number") {
    const value = clampedValue(shape, row);
    return value === null ? null : edgesUpTo(shape.edges, value);
  }
  for (const [bin, categories] of shape.groups.entries()) {
    const column = { kind: "category", name: shape.name, categories } as const;
    if (categoryPlace(column, row) !== null) return bin;
  }
  return null;
}

/** Returns the intercept and the row's value of every shape, added up. A row without any value has a score too. */
export function boostingScore({ intercept, shapes }: BoostedModel, row: RowValues): number {
  return shapes.reduce((score, shape) => {
    const bin = binOf(shape, row);
    return score + (bin === null ? shape.missing : elementAt(shape.bins, bin)).value;
  }, intercept);
}

/**
 * Applies a model to a row, values by the names of its columns. A class: { score, probability, prediction }, where the probability is that of the
 * second category; a number: { prediction }, clamped to the target's bounds.
 */
export function predictBoosting(model: BoostedModel, row: RowValues): Scores {
  const score = boostingScore(model, row);
  const { target } = model;
  if (target.kind === "number") {
    const [lo, hi] = target.bounds;
    return { prediction: Math.min(hi, Math.max(lo, score)) };
  }
  const within = Math.max(-largestScore, Math.min(largestScore, score));
  return {
    score,
    probability: 1 / (1 + Math.exp(-within)),
    prediction: elementAt(target.categories, score > 0 ? 1 : 0),
  };
}
