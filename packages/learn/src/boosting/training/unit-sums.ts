import { gridBits } from "../../clipping/clipped-gradients.ts";

/** The norm of a clipped unit, in steps of the grid. */
const top = 2 ** gridBits;

/** Each row's amount, and the cell that it is added to. */
export interface RowAmounts {
  readonly cells: ArrayLike<number>;
  readonly amounts: Float64Array;
  /** The rows of unit u are those from offsets[u] to offsets[u + 1] − 1. */
  readonly offsets: ArrayLike<number>;
}

/**
 * Adds up over the units: the amounts of a unit's rows are summed in each cell; that vector is scaled to a norm of at most `clip`, over all cells,
 * and cut toward 0 to the grid of clip · 2^-gridBits. Returns one integer a cell, at most units · 2^gridBits in size. What a unit adds depends on
 * its own rows alone. Proof that no unit's vector passes 2^gridBits in norm: ../boosting.proof.md.
 */
export function clippedUnitSums(
  { cells, amounts, offsets }: RowAmounts,
  clip: number,
  size: number,
): Float64Array {
  const total = new Float64Array(size);
  const mine = new Float64Array(size);
  for (let unit = 0; unit + 1 < offsets.length; unit++) {
    const [start, end] = [offsets[unit] ?? 0, offsets[unit + 1] ?? 0];
    if (end - start === 1) {
      // Of a single row, the vector is one number: clipped to [−1, 1], it is scaled without rounding.
      const cell = cells[start] ?? 0;
      const scaled = finite((amounts[start] ?? 0) / clip);
      total[cell] = (total[cell] ?? 0) + Math.trunc(top * Math.max(-1, Math.min(1, scaled)));
      continue;
    }
    for (let row = start; row < end; row++) {
      const cell = cells[row] ?? 0;
      mine[cell] = (mine[cell] ?? 0) + finite((amounts[row] ?? 0) / clip);
    }
    addClipped(total, mine);
    mine.fill(0);
  }
  return total;
}

/** So that squares of sums are finite too. NaN counts 0. */
function finite(x: number): number {
  return Math.max(-1e100, Math.min(1e100, x)) || 0;
}

/** Adds a unit's vector, whose norm is to be at most 1: integers are checked before they count, whatever rounding did before. */
function addClipped(total: Float64Array, vector: Float64Array): void {
  let square = 0;
  for (const x of vector) square += x * x;
  const scale = top / Math.max(1, Math.sqrt(square));
  let cut = 0;
  for (let cell = 0; cell < vector.length; cell++) {
    const x = Math.trunc((vector[cell] ?? 0) * scale);
    vector[cell] = x;
    // Whole squares of at most 2^40: their sum is exact as far as it is compared.
    cut += Math.abs(x) <= top ? x * x : Number.POSITIVE_INFINITY;
  }
  if (!(cut <= top * top)) return;
  for (let cell = 0; cell < vector.length; cell++) total[cell] = (total[cell] ?? 0) + (vector[cell] ?? 0);
}
