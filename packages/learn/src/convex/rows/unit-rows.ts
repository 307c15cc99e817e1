import { doubleAt } from "@lethe/core/numeric";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { constantsOf } from "../problem/convex-problem.ts";
import { checkRows, type OwnedRows } from "./owned-rows.ts";
import { type RowVectors, VectorWriter, vectorsOf } from "./row-vectors.ts";

/** Rows within their declared bounds, grouped by unit. They are private, and stand in an Exact alone. */
export interface UnitRows {
  /** Row after row, the rows of a unit side by side. */
  readonly features: RowVectors;
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
 * Errors: those of {@link checkRows}.
 */
export function unitRows(problem: ConvexProblem, rows: OwnedRows): UnitRows {
  const { loss, labels: labelBound } = constantsOf(problem);
  const { dimension } = problem;
  checkRows(problem, rows);
  const count = rows.labels.length;
  const { order, starts } =
    rows.offsets === undefined
      ? grouped(rows.units, count)
      : { order: inOrder(count), starts: Uint32Array.from(rows.offsets) };
  const features = new VectorWriter(dimension, count, valuesOf(rows));
  const labels = new Float64Array(count);
  const row = new Float64Array(dimension);
  order.forEach((from, to) => {
    for (let j = 0; j < dimension; j += 1) row[j] = cleaned(rows.features[from * dimension + j]);
    scale(row, problem.features);
    features.add(row);
    labels[to] = loss.label(rows.labels[from] ?? Number.NaN, labelBound);
  });
  return { features: features.finish(), labels, starts };
}

/** How many values are not 0 once they are cleaned. */
function valuesOf({ features }: OwnedRows): number {
  let count = 0;
  for (let i = 0; i < features.length; i += 1) if (cleaned(features[i]) !== 0) count += 1;
  return count;
}

/** The first row of every unit alone: for theorems about losses of one row. */
export function firstRows({ features, labels, starts }: UnitRows): UnitRows {
  const first = starts.subarray(0, -1);
  return {
    features: vectorsOf(features, first),
    labels: Float64Array.from(first, (row) => doubleAt(labels, row)),
    starts: inOrder(starts.length),
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

function inOrder(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** Rows in the order of their units, which come in the order of their first rows. */
function grouped(
  units: OwnedRows["units"],
  count: number,
): { readonly order: Uint32Array; readonly starts: Uint32Array } {
  const order = inOrder(count);
  if (units === undefined) return { order, starts: inOrder(count + 1) };
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
