/**
 * Rows that the owner's process holds for training, those of one unit one after another. They are private as they are, so they stand in an
 * Exact alone: see computeSealed.
 *
 * The place of a unit depends on which other units there are. What is drawn for a unit must therefore be drawn independently of its place, as Poisson
 * sampling does; blocks or folds cut by place would let one unit move all behind it.
 */
export interface UnitRows {
  /** A list for each column that was asked for, one number a row; NaN is NULL. */
  readonly columns: readonly Float64Array[];
  /** The rows of unit u are those from offsets[u] to offsets[u + 1] − 1, at least one; there is one offset more than units. */
  readonly offsets: Uint32Array;
}
