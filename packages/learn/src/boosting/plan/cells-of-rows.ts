import type { PlannedColumn } from "./boosted-column.ts";

/** Returns the cell of every row in a column: the place of its value, or the last cell where it has none. */
export function cellsOfRows(column: PlannedColumn, values: ArrayLike<number>): Uint16Array {
  const cells = new Uint16Array(values.length);
  for (let row = 0; row < cells.length; row++) cells[row] = cellOf(column, values[row] ?? Number.NaN);
  return cells;
}

/** @example cellOf({ kind: "number", name: "age", bounds: [0, 90], edges: [30, 60], merged: false }, 30) // => 1 */
export function cellOf(column: PlannedColumn, value: number): number {
  if (column.kind === "number")
    return Number.isNaN(value) ? column.edges.length + 1 : edgesUpTo(column.edges, value);
  const { length } = column.categories;
  return Number.isInteger(value) && value >= 0 && value < length ? value : length;
}

/** The number of edges that are at most a value: the place of its bin. */
export function edgesUpTo(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? Number.NaN) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
