/**
 * A partition of the loss axis into cells [edge(k), edge(k+1)), k ∈ ℤ. An emission cuts its masses along the edges, so that
 * what it puts into one cell is the whole mass there.
 */
export interface LossCells {
  /** The left edge of cell k. Nondecreasing in k; may be ±∞. */
  edge(k: number): number;
  /** The cell that holds a finite loss: where a law with a density begins. */
  cell(loss: number): number;
  /** Returns the cell that the sink is given for an atom at this loss; not a whole number where the atom has a cell of its own. */
  atom(loss: number): number;
}

/** Takes one atom: its cell, and its masses p under P and q under Q. Its loss is ln(p/q); one of the two may be 0 where it is no double. */
export type AtomSink = (cell: number, p: number, q: number) => void;

/** Upper bounds of the masses that an emission left out below its lowest and above its highest atom. */
export interface Tails {
  readonly pLow: number;
  readonly qLow: number;
  readonly pHigh: number;
  readonly qHigh: number;
}

/**
 * Two laws whose hockey-stick curve bounds a mechanism's: (P, Q) dominates "with the unit against without it", and its
 * mirror (Q, P) the reverse (Zhu, Dong & Wang 2022, Def. 7). What matters of it is the law of the loss L = ln(dP/dQ) under P.
 */
export interface DominatingPair {
  /** Equal ids are equal pairs. */
  readonly id: string;
  /** Whether some pair of neighbours reaches the curve, so that lower bounds of the pair are lower bounds of the mechanism. */
  readonly tight: boolean;
  /** Tight pairs of some neighbours each, where this one is a bound alone: lower ends are the greatest that is read off them. */
  readonly reached?: readonly DominatingPair[];
  /** Besides, such pairs that are best where one run is asked about this ε. */
  reachedAt?(epsilon: number): readonly DominatingPair[];
  /** Whether the mirror is the same pair. */
  readonly symmetric: boolean;
  /** Whether P and Q are finitely many atoms, all emitted as they are. */
  readonly discrete: boolean;
  /** An upper bound of the finite losses of (P, Q); +∞ where they are not bounded. */
  readonly maxLoss: number;
  /** An upper bound of the finite losses of (Q, P): −maxReverseLoss ≤ L. */
  readonly maxReverseLoss: number;
  /** P[dQ = 0], an upper bound. */
  readonly infiniteP: number;
  /** Q[dP = 0], an upper bound. */
  readonly infiniteQ: number;
  /** The losses at which a law with a density has atoms, in increasing order: grids are laid through them. Empty for a discrete pair. */
  readonly anchors: readonly number[];
  /** μ where the pair is N(μ, 1) against N(0, 1); else null. */
  readonly gaussian: number | null;
  /** μ where no test tells a group of k apart better than N(kμ, 1) from N(0, 1), for every k; as `gaussian`, but a bound. */
  readonly gaussianAtMost?: number;
  /**
   * Emits the finite part, all but tails of at most `tail` ∈ (0, 1) on each side. In every cell ∫dP and ∫dQ hold to a relative
   * error of 1e-12, and the ratio of what was emitted together to 32u·(1 + |L|), u = 2^−53, besides 1e-12 of the cell's width
   * for a law with a density, of which an atom is a whole panel.
   */
  emit(cells: LossCells, tail: number, sink: AtomSink): Tails;
  /** A further error of each loss, for losses that are small although their terms are large; 0 unless stated. */
  readonly lossError?: number;
  /** A pair that dominates what a group of k ≥ 1 units sees; null where none is known. */
  group(k: number): DominatingPair | null;
  /**
   * A pair that dominates neighbours of which one has `added` and the other `removed` units of its own, where that is told apart from a
   * group of all of them; null where it is not known.
   */
  apart?(added: number, removed: number): DominatingPair | null;
}

export const noTails: Tails = { pLow: 0, qLow: 0, pHigh: 0, qHigh: 0 };
