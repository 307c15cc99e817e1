import { invalidParameter } from "@lethe/core";
import type { UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { DeclaredColumn } from "../../model/model.ts";
import { clampedValue, type RowValues } from "../../models/row-values.ts";
import type { PlannedColumn } from "../plan/boosted-column.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";

/**
 * The rows that a model is trained on: the owner's, one number a row and column. A number stands as it is, a category as its place among the
 * categories; NaN, and whatever is no place, is NULL. A row whose target is NULL adds nothing.
 */
export interface TrainingRows {
  /** A list for each of the plan's features, in their order, one number a row. */
  readonly features: readonly ArrayLike<number>[];
  readonly target: ArrayLike<number>;
  /** The rows of unit u are those from offsets[u] to offsets[u + 1] − 1; without it every row is a unit. */
  readonly offsets?: ArrayLike<number>;
}

/** Returns the rows of records by the names of the plan's columns, as {@link TrainingRows}. */
export function trainingRows(plan: BoostingPlan, records: readonly RowValues[]): TrainingRows {
  const listed = (column: PlannedColumn | DeclaredColumn): Float64Array =>
    Float64Array.from(records, readerOf(column));
  return { features: plan.features.map(listed), target: listed(plan.target) };
}

/** Makes a row ↦ a number, or a category's place; NaN for what is missing, or is no value of the column. */
function readerOf(column: PlannedColumn | DeclaredColumn): (row: RowValues) => number {
  if (column.kind === "number") {
    return (row) => clampedValue(column, row) ?? Number.NaN;
  }
  const { name, categories } = column;
  const places = new Map(categories.map((category, place) => [category, place]));
  return (row) => {
    const value = Object.hasOwn(row, name) ? row[name] : null;
    const category = typeof value === "bigint" ? Number(value) : value;
    return (category === null || category === undefined ? undefined : places.get(category)) ?? Number.NaN;
  };
}

/** Refuses lists that are no table: a fault of the caller's, not of the rows. Errors: parameter.invalid. */
export function checkRows({ features }: BoostingPlan, rows: TrainingRows): void {
  const count = rows.target.length;
  if (rows.features.length !== features.length)
    throw invalidParameter("number of feature lists", rows.features.length, `${features.length}, as planned`);
  if (rows.features.some((list) => list.length !== count))
    throw invalidParameter("feature lists", "another length", "as long as the target");
  const { offsets } = rows;
  if (offsets === undefined) return;
  const ends = Array.from(offsets);
  const inOrder = ends.every(
    (end, i) => Number.isInteger(end) && end >= (i === 0 ? 0 : elementAt(ends, i - 1)),
  );
  if (!(ends[0] === 0 && ends.at(-1) === count && inOrder))
    throw invalidParameter(
      "offsets",
      "others",
      "whole numbers from 0 to the number of rows, never decreasing",
    );
}

/** Puts lists that were checked in the order of a sealed training: the features, then the target. Without offsets every row is a unit. */
export function unitRows({ features, target, offsets }: TrainingRows): UnitRows {
  return {
    columns: [...features, target].map((list) => Float64Array.from(list)),
    offsets: offsets
      ? Uint32Array.from(offsets)
      : Uint32Array.from({ length: target.length + 1 }, (_, row) => row),
  };
}
