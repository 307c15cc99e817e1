import { elementAt } from "@lethe/core/numeric";
import type { Category } from "../../model/model.ts";
import type { Bin, BoostedModel, Shape } from "../model/boosted-model.ts";
import type { PlannedColumn } from "../plan/boosted-column.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { scaleOf } from "./loss-of.ts";

/** A shape in the scores of the training. */
export interface LearnedShape {
  /** The mean that was taken from all of its values. */
  readonly mean: number;
  readonly binOfCell: Uint16Array;
  /** The last is for rows without a value. */
  readonly bins: readonly Bin[];
}

/** Writes shapes in the target's own unit, with the edges and the categories of their bins. */
export function shapesOf(
  { target, features }: Pick<BoostingPlan, "target" | "features">,
  learned: readonly LearnedShape[],
): Pick<BoostedModel, "intercept" | "shapes"> {
  const { middle, half } = target.kind === "number" ? scaleOf(target.bounds) : { middle: 0, half: 1 };
  const scaled = learned.map((shape) => ({
    ...shape,
    bins: shape.bins.map(({ value, deviation, weight }) => ({
      value: value * half,
      deviation: deviation * half,
      weight,
    })),
  }));
  return {
    intercept: middle + half * learned.reduce((sum, { mean }) => sum + mean, 0),
    shapes: scaled.map((shape, at) => shapeOf(elementAt(features, at), shape)),
  };
}

function shapeOf(column: PlannedColumn, { binOfCell, bins: all }: LearnedShape): Shape {
  const bins = all.slice(0, -1);
  const missing = elementAt(all, all.length - 1);
  const { name } = column;
  if (column.kind === "number") {
    const edges = column.edges.filter((_, cell) => binOfCell[cell] !== binOfCell[cell + 1]);
    return { kind: "number", name, bounds: column.bounds, edges, bins, missing };
  }
  const groups: Category[][] = bins.map(() => []);
  for (const [place, category] of column.categories.entries())
    elementAt(groups, elementAt(binOfCell, place)).push(category);
  return { kind: "category", name, groups, bins, missing };
}
