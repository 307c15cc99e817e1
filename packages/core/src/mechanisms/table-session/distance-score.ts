import { type Exact, seal, unseal } from "../../exact/exact.ts";
import { doubleAt } from "../../numeric/elements/element-at.ts";

/** The exact counts of a table's cells, by place. What is no count (negative, a fraction, missing) is read as 0. */
export type CellCounts = ArrayLike<number>;

/** Estimates are rounded to multiples of 1/estimateGrid of a row, so that distances are integers and move as proven. */
export const estimateGrid = 1024;

/** Larger counts are read as this: cutting moves no two of them further apart. */
const mostCount = 2 ** 40;

/** The count of a cell, an integer from 0 to 2^40, whatever the data hold. */
export function countAt(table: CellCounts, cell: number): number {
  const count: unknown = table[cell];
  return typeof count === "number" && Number.isInteger(count) && count > 0 ? Math.min(count, mostCount) : 0;
}

/**
 * Σ |count − estimate| over all cells, in units of 1/estimateGrid of a row: an exact integer. Estimates are public; they are rounded to the grid
 * and cut to ±2^40, and what is no number is 0. A count that moves by 1 moves the distance by at most estimateGrid.
 */
export function distance(table: CellCounts, estimate: Float64Array): bigint {
  let whole = 0n;
  let part = 0;
  for (let cell = 0; cell < estimate.length; cell++) {
    const expected = Math.max(-mostCount, Math.min(mostCount, doubleAt(estimate, cell)));
    const onGrid = Math.round(expected * estimateGrid);
    // Each term is an integer of at most 2^51 + 2^50, so that sums below 2^52 stay exact.
    part += Math.abs(countAt(table, cell) * estimateGrid - (onGrid || 0));
    if (part >= 2 ** 52) {
      whole += BigInt(part);
      part = 0;
    }
  }
  return whole + BigInt(part);
}

/** How far a table lies from a public estimate, as {@link distanceFrom} has sealed it. */
export class TableDistance {
  /** In units of 1/estimateGrid of a row. */
  readonly grid: bigint;
  private constructor(grid: bigint) {
    this.grid = grid;
  }

  /** Seals the distance of a table from an estimate, one number for each cell, in rows. */
  static between(table: Exact<CellCounts>, estimate: Float64Array): Exact<TableDistance> {
    return seal(new TableDistance(distance(unseal(table), estimate)));
  }
}

/**
 * Returns the sealed distance of a table from a public estimate, in rows: what a session chooses by. It may be kept for as long as the estimate stays the same,
 * so that a round counts anew only what changed.
 */
export function distanceFrom(table: Exact<CellCounts>, estimate: Float64Array): Exact<TableDistance> {
  return TableDistance.between(table, estimate);
}
