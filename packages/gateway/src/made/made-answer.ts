import type { Plan } from "@lethe/query";
import type { Release, ReleasedCell, ReleasedColumn } from "../release.ts";

/**
 * An answer that is made of releases and of nothing else: post-processing, for which nothing is charged. It is not signed. Whoever holds it holds the releases, which are, and can make
 * it again.
 */
export interface MadeAnswer {
  readonly version: 1;
  readonly kind: "made-answer";
  readonly columns: readonly ReleasedColumn[];
  /** A row a group; cells in the order of `columns`. */
  readonly rows: readonly (readonly ReleasedCell[])[];
  /** What a reader must know, how the answer was made among it. */
  readonly notes: readonly string[];
  /** Coverage of the intervals, such as 0.95. */
  readonly confidence: number;
  /** The plan of the question, as it would be paid for. */
  readonly plan: Plan;
  /** Each column of counts or sums: how far it may be off here, and in an answer that is paid for. */
  readonly errors: readonly MadeError[];
  /** The names of the releases, in the order of `releases`. */
  readonly of: readonly MadeOf[];
  readonly releases: readonly Release[];
}

/** The half-widths of a column's intervals, in its units: before they are cut to what is possible. */
export interface MadeError {
  readonly column: string;
  readonly here: number;
  readonly anew: number;
}

/** A release by its request, and by the hash of its certificate's canonical JSON, hex. */
export interface MadeOf {
  readonly requestId: string;
  readonly certificate: string;
  /** When it was given: ISO 8601. */
  readonly at: string;
}
