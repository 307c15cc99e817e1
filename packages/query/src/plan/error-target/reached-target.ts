/** An error that was stated instead of a price, and what it took. */
export interface ReachedTarget {
  /** The half-width that no answer's interval may exceed, in the question's units; of several that of the answer that is hardest to reach. */
  readonly halfWidth: number;
  /** How it was said, where it is a share of the policy's expected_rows. */
  readonly relative: { readonly share: string; readonly expectedRows: number } | null;
  /** How it was said, where it is a share of released numbers. */
  readonly released: ReleasedShare | null;
  /** Rows of the group it was meant for; null where every answer's half-width is the same at any size. */
  readonly rows: number | null;
  /**
   * The widest half-width of the plan's answers (that of the answer that is hardest to reach): at most `halfWidth`, unless
   * capped; null where the noise drowns it.
   */
  readonly reached: number | null;
  /** The least ε of four digits whose plan reaches it: one in the last digit less does not. Or the cap, where that does not. */
  readonly epsilon: string;
  /** The price was cut to the question's max_epsilon, and the target is not reached. */
  readonly capped: boolean;
}

/** A share of each answer's released numbers: of their {@link typicalSize}. */
export interface ReleasedShare {
  readonly share: string;
  /** The request that released them. */
  readonly requestId: string;
  readonly answers: readonly {
    readonly name: string;
    /** How many numbers there are. */
    readonly values: number;
    readonly typical: number;
    readonly halfWidth: number;
    readonly reached: number | null;
  }[];
}

/** The public numbers of an earlier request: the values of each of its columns, unknown ones left out. */
export interface ReleasedNumbers {
  readonly requestId: string;
  readonly columns: ReadonlyMap<string, readonly number[]>;
}
