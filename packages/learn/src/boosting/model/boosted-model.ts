import type { Adjacency, Event } from "@lethe/core";
import type { Category, DeclaredColumn } from "../../model/model.ts";

/**
 * An additive model: a row's score is the intercept and one value of every shape. The score of a class is the logarithm of its odds against the
 * other; that of a number is in the number's own unit. Plain JSON: its values may be edited, and that costs nothing.
 */
export interface BoostedModel {
  readonly kind: "boosting";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly intercept: number;
  readonly shapes: readonly Shape[];
  readonly adjacency: Adjacency;
  /** The cost of the training. */
  readonly event: Event;
}

/** A column's part of the score: 0 in the mean over the noisy weights, when it was learned. */
export type Shape = NumberShape | CategoryShape;

export interface NumberShape {
  readonly kind: "number";
  readonly name: string;
  readonly bounds: readonly [number, number];
  /** Increasing. A value at an edge is in the bin above it. */
  readonly edges: readonly number[];
  /** One more than there are edges. */
  readonly bins: readonly Bin[];
  /** For rows without a value. */
  readonly missing: Bin;
}

export interface CategoryShape {
  readonly kind: "category";
  readonly name: string;
  /** The categories of each bin, in the policy's order; rare ones share the last. */
  readonly groups: readonly (readonly Category[])[];
  readonly bins: readonly Bin[];
  /** For rows without a value, or with another. */
  readonly missing: Bin;
}

export interface Bin {
  readonly value: number;
  /**
   * The standard deviation of the noise that the bin's own sums put into its value, as if no later step corrected it; 0 for a bin too light
   * to be learned of, whose value is the mean of the others.
   */
  readonly deviation: number;
  /** The noisy number of rows, which may be below 0. */
  readonly weight: number;
}
