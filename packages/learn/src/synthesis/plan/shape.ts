/** The columns of a synthesis as its methods know them. */
export interface Shape {
  /** Values of each attribute. */
  readonly sizes: readonly number[];
  /** The attribute that others are to predict; null where none is declared. */
  readonly target: number | null;
}
