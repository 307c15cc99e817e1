import { invalidParameter } from "@lethe/core";
import { doubleAt } from "@lethe/core/numeric";
import type { ConvexProblem } from "../problem/convex-problem.ts";

/** Rows as their owner holds them. Any double may stand in them. */
export interface OwnedRows {
  /** Row after row: dimension numbers each. */
  readonly features: ArrayLike<number>;
  /** One a row. */
  readonly labels: ArrayLike<number>;
  /** Whose row it is; each row is its own unit unless given. */
  readonly units?: ArrayLike<number | string>;
  /** In place of `units`, where those of a unit stand side by side: the rows of unit u are those from offsets[u] to offsets[u + 1] − 1, at least one. */
  readonly offsets?: ArrayLike<number>;
}

/** Refuses lists that are no table: a fault of the caller's, not of the rows. Errors: parameter.invalid, without a word of how many rows there are. */
export function checkRows(
  { dimension }: Pick<ConvexProblem, "dimension">,
  { features, labels, units, offsets }: OwnedRows,
): void {
  if (features.length !== labels.length * dimension)
    throw invalidParameter("features", "another length", "dimension numbers for every label");
  if (units !== undefined && units.length !== labels.length)
    throw invalidParameter("units", "another length", "one for every label");
  if (offsets === undefined) return;
  if (units !== undefined)
    throw invalidParameter("units", "beside offsets", "left out where offsets are given");
  const ends = Float64Array.from(offsets);
  const rising = ends.every((end, i) =>
    i === 0 ? end === 0 : Number.isInteger(end) && end > doubleAt(ends, i - 1),
  );
  if (!(ends.length > 0 && rising && ends[ends.length - 1] === labels.length))
    throw invalidParameter("offsets", "others", "whole numbers from 0 to the number of rows, increasing");
}
