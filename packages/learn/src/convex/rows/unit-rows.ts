import { invalidParameter } from "@lethe/core";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { constantsOf } from "../problem/convex-problem.ts";

/** Rows as their owner holds them. Any double may stand in them. */
export interface OwnedRows {
  /** Row after row: dimension numbers each. */
  readonly features: ArrayLike<number>;
  /** One a row. */
  readonly labels: ArrayLike<number>;
  /** Whose row it is; each row is its own unit unless given. */
  readonly units?: ArrayLike<number | string>;
}

/** Rows within their declared bounds, grouped by unit. */
export interface UnitRows {
  readonly dimension: number;
  /** Row after row, the rows of a unit side by side. */
  readonly features: Float64Array;
  readonly labels: Float64Array;
  /** The first row of each unit, and at the end the number of rows. */
  readonly starts: Uint32Array;
}

/** A row longer than its bound is scaled to just below it, so that rounding cannot carry it beyond. */
const below = 1 - 2 ** -40;
/** Squares of larger numbers overflow. */
const largest = 1e150;

/**
 * Returns the rows within the problem's bounds: what is not finite counts as 0, longer features are scaled down, labels are clipped. A row with a label
 * that is NaN counts with the default label. Each row is cleaned by itself, so neighbours stay neighbours; no row can make it fail.
 * Errors: parameter.invalid for lists whose lengths do not fit each other.
 */
export function unitRows(problem: ConvexProblem, rows: OwnedRows): UnitRows {
  const { loss, labels: labelBound } = constantsOf(problem);
  const { dimension } = problem;
  const count = rows.labels.length;
  if (rows.features.length !== count * dimension)
    throw invalidParameter("features", "another length", "dimension numbers for every label");
  if (rows.units !== undefined && rows.units.length !== count)
    throw invalidParameter("units", "another length", "one for every label");
  const { order, starts } = grouped(rows.units, count);
  const features = new Float64Array(count * dimension);
  const labels = new Float64Array(count);
  order.forEach((from, to) => {
    const row = features.subarray(to * dimension, (to + 1) * dimension);
    for (let j = 0; j < dimension; j += 1) row[j] = cleaned(rows.features[from * dimension + j]);
    scale(row, problem.features);
    labels[to] = loss.label(rows.labels[from] ?? Number.NaN, labelBound);
  });
  return { dimension, features, labels, starts };
}

/** The first row of every unit alone: for theorems about losses of one row. */
export function firstRows({ dimension, features, labels, starts }: UnitRows): UnitRows {
  const units = starts.length - 1;
  const first = Float64Array.from({ length: units * dimension }, (_, i) =>
    doubleAt(features, elementAt(starts, Math.floor(i / dimension)) * dimension + (i % dimension)),
  );
  return {
    dimension,
    features: first,
    labels: Float64Array.from({ length: units }, (_, unit) => doubleAt(labels, elementAt(starts, unit))),
    starts: Uint32Array.from({ length: units + 1 }, (_, unit) => unit),
  };
}

function cleaned(x: number | undefined): number {
  return x !== undefined && Number.isFinite(x) ? Math.min(largest, Math.max(-largest, x)) : 0;
}

function scale(row: Float64Array, { norm, bound }: ConvexProblem["features"]): void {
  if (norm === "max") {
    for (let j = 0; j < row.length; j += 1) row[j] = Math.min(bound, Math.max(-bound, doubleAt(row, j)));
    return;
  }
  const length = Math.sqrt(row.reduce((total, x) => total + x * x, 0));
  if (length <= bound * below) return;
  const factor = (bound * below) / length;
  for (let j = 0; j < row.length; j += 1) row[j] = doubleAt(row, j) * factor;
}

/** Rows in the order of their units, which come in the order of their first rows. */
function grouped(
  units: OwnedRows["units"],
  count: number,
): { readonly order: Uint32Array; readonly starts: Uint32Array } {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (units === undefined) return { order, starts: Uint32Array.from({ length: count + 1 }, (_, i) => i) };
  const places = new Map<number | string, number>();
  const unitOf = Uint32Array.from({ length: count }, (_, i) => {
    const unit = units[i] ?? "";
    const place = places.get(unit) ?? places.size;
    places.set(unit, place);
    return place;
  });
  const starts = new Uint32Array(places.size + 1);
  for (const unit of unitOf) starts[unit + 1] = (starts[unit + 1] ?? 0) + 1;
  for (let u = 0; u < places.size; u += 1) starts[u + 1] = (starts[u + 1] ?? 0) + (starts[u] ?? 0);
  order.sort((a, b) => (unitOf[a] ?? 0) - (unitOf[b] ?? 0) || a - b);
  return { order, starts };
}
