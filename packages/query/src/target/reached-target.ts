/** An error that was stated instead of a price, and what it took. */
export interface ReachedTarget {
  /** The half-width that no answer's interval may exceed, in the question's units. */
  readonly halfWidth: number;
  /** How it was said, where it was not said as a half-width. */
  readonly relative: { readonly share: string; readonly expectedRows: number } | null;
  /** Rows of the group it was meant for; null where every answer's half-width is the same at any size. */
  readonly rows: number | null;
  /** The widest half-width of the plan's answers: at most `halfWidth`. */
  readonly reached: number;
  /** The least ε of four digits whose plan reaches it: one in the last digit less does not. */
  readonly epsilon: string;
}
