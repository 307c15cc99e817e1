import { invalidParameter } from "@lethe/core";
import { ndtri } from "@lethe/core/numeric";
import type { Bin, BoostedModel, Shape } from "./boosted-model.ts";

/** One panel that shows a shape, as data: lines of points with an interval each. */
export interface ShapeFigure {
  readonly id: string;
  readonly title: string;
  readonly x: {
    readonly label: string;
    readonly scale: "linear";
    /** The labels of x = 0, 1, 2 …, for categories; null for numbers. */
    readonly ticks: readonly string[] | null;
  };
  readonly y: { readonly label: string; readonly scale: "linear" };
  readonly lines: readonly ShapeLine[];
  readonly mark: null;
}

export interface ShapeLine {
  readonly name: string;
  readonly kind: "interval";
  readonly points: readonly ShapePoint[];
}

/** value ± the noise's quantile: not how well the model fits. */
export interface ShapePoint {
  readonly x: number;
  readonly lower: number;
  readonly value: number;
  readonly upper: number;
}

/**
 * Returns a figure for every shape. A number's line has steps: two points a bin, at its ends. Rows without a value are a line of one point.
 * Intervals hold the noise of the bin's own sums with this confidence. Errors: parameter.invalid unless 0 < confidence < 1.
 */
export function shapeFigures({ target, shapes }: BoostedModel, confidence = 0.95): readonly ShapeFigure[] {
  if (!(confidence > 0 && confidence < 1))
    throw invalidParameter("confidence", confidence, "above 0 and below 1");
  const reach = ndtri((1 + confidence) / 2);
  const unit =
    target.kind === "number" ? target.name : `log-odds of ${target.name} = ${target.categories[1]}`;
  return shapes.map((shape) => ({
    id: `shape-${shape.name}`,
    title: `What ${shape.name} adds`,
    x: { label: shape.name, scale: "linear", ticks: ticksOf(shape) },
    y: { label: unit, scale: "linear" },
    lines: [
      { name: shape.name, kind: "interval", points: pointsOf(shape, reach) },
      { name: "no value", kind: "interval", points: [pointAt(afterwards(shape), shape.missing, reach)] },
    ],
    mark: null,
  }));
}

function ticksOf(shape: Shape): readonly string[] | null {
  return shape.kind === "number"
    ? null
    : [...shape.groups.map((categories) => categories.map(String).join(", ")), "no value"];
}

function pointsOf(shape: Shape, reach: number): readonly ShapePoint[] {
  if (shape.kind === "category") return shape.bins.map((bin, x) => pointAt(x, bin, reach));
  const ends = [shape.bounds[0], ...shape.edges, shape.bounds[1]];
  return shape.bins.flatMap((bin, at) => ends.slice(at, at + 2).map((x) => pointAt(x, bin, reach)));
}

/** The x of the point for rows without a value: after all others. */
function afterwards(shape: Shape): number {
  if (shape.kind === "category") return shape.bins.length;
  const [lo, hi] = shape.bounds;
  return hi + (hi - lo) / 20;
}

function pointAt(x: number, { value, deviation }: Bin, reach: number): ShapePoint {
  return { x, lower: value - reach * deviation, value, upper: value + reach * deviation };
}
