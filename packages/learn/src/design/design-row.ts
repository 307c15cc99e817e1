import { elementAt } from "@lethe/core/numeric";
import type { DeclaredColumn } from "../model/model.ts";
import { categoryPlace, clampedValue, type RowValues } from "../models/row-values.ts";
import { type Design, designWidth } from "./design.ts";

type DeclaredNumber = Extract<DeclaredColumn, { readonly kind: "number" }>;

/** A row's value in a column: a number as it stands, a category as its place; NaN for what is missing, or is no value of the column. */
export type CodedValue = (column: number) => number;

/**
 * Writes the vector of a row at a place of `into`, whose entries there are 0. Total: whatever a value is, the entries are finite and within
 * [−1, 1].
 */
export function writeDesignRow(
  { columns, intercept }: Design,
  value: CodedValue,
  into: Float64Array | Float32Array,
  start: number,
): void {
  let at = start;
  if (intercept) into[at++] = 1;
  for (const [place, column] of columns.entries()) {
    const coded = value(place);
    if (column.kind === "number") into[at++] = Number.isNaN(coded) ? 0 : scaledToOne(column, coded);
    else {
      if (isPlace(coded, column.categories.length)) into[at + coded] = 1;
      at += column.categories.length;
    }
  }
}

/** The vector of a row that a model is applied to: values by the names of columns. */
export function designRow(design: Design, row: RowValues): Float64Array {
  const vector = new Float64Array(designWidth(design));
  writeDesignRow(design, (at) => codedValue(elementAt(design.columns, at), row), vector, 0);
  return vector;
}

/** The middle of a number's bounds, and half their width. */
export function scaleOf({ bounds: [lo, hi] }: DeclaredNumber): {
  readonly middle: number;
  readonly half: number;
} {
  return { middle: lo / 2 + hi / 2, half: hi / 2 - lo / 2 };
}

/** A number clamped to its bounds, as (x − middle)/half width: exactly within [−1, 1]. */
export function scaledToOne(column: DeclaredNumber, x: number): number {
  const { middle, half } = scaleOf(column);
  return Math.min(1, Math.max(-1, (x - middle) / half));
}

/** The number that is scaled to z. */
export function unscaled(column: DeclaredNumber, z: number): number {
  const [lo, hi] = column.bounds;
  const { middle, half } = scaleOf(column);
  return Math.min(hi, Math.max(lo, middle + z * half));
}

export function isPlace(coded: number, categories: number): boolean {
  return Number.isInteger(coded) && coded >= 0 && coded < categories;
}

/** A record's value in a column: see CodedValue. */
export function codedValue(column: DeclaredColumn, row: RowValues): number {
  return (column.kind === "number" ? clampedValue(column, row) : categoryPlace(column, row)) ?? Number.NaN;
}
