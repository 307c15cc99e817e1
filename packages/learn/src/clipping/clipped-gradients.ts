import type { Exact } from "@lethe/core/mechanisms";

/** A unit's vector is integers on a grid of clip · 2^-gridBits, of norm at most 2^gridBits. */
export const gridBits = 20;

/** The exact sums over the units of one batch: sealed, because they are private until noise is on them. */
export interface ClippedSums {
  /** One integer a parameter, below 2^53 in size: the sum over units of their gradients, each clipped and cut to the grid. */
  readonly sums: Float64Array;
  /** How many units had a gradient of norm at most the clip: what adaptive clipping measures, at a price of its own. */
  readonly unclipped: number;
}

/**
 * Gradients of a model over rows that the owner holds. A unit's gradient is the sum of those of its rows, and is clipped as one: it is never the rows
 * that are clipped, and never their mean.
 */
export interface ClippedGradients {
  /** The length of every vector. */
  readonly parameters: number;
  /** How many units have rows here: private under add-or-remove, so no divisor, rate or shape may follow from it. */
  readonly units: number;
  /** Sums over the units at these places, each in 0 … units − 1 and named at most once. An empty batch is a sum of zeros. */
  sum(weights: Float64Array, batch: Uint32Array, clip: number): Exact<ClippedSums>;
}
