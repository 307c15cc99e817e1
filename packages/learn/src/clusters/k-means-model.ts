import type { NumberColumn } from "../model/model.ts";
import type { OwnersWords } from "../model/owners-words.ts";

/** A k-means that was checked against a policy. JSON throughout. */
export interface KMeansModel extends OwnersWords {
  readonly kind: "k-means";
  readonly version: 1;
  /** The table or view of the policy. */
  readonly source: string;
  /** The condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  readonly features: readonly NumberColumn[];
  /** k: how many clusters. */
  readonly clusters: number;
  /** How many questions are asked, one after another: public, and never shortened by what they answer. */
  readonly steps: number;
}

/** The centroids between two questions: a function of the model and of earlier releases. JSON throughout. */
export interface KMeansState {
  /** How many releases led here. */
  readonly step: number;
  /** A list a cluster, one number a feature: (x − middle)/half, in [−1, 1]. */
  readonly centroids: readonly (readonly number[])[];
  /** The noisy number of rows that the last release assigned to each cluster, as the centroids stood before it; null before the first. */
  readonly counts: readonly number[] | null;
}

/** Centroids that were moved by released sums alone: plain JSON. */
export interface FittedKMeans {
  readonly kind: "k-means";
  readonly version: 1;
  readonly features: readonly NumberColumn[];
  /** In the columns' own units. */
  readonly centroids: readonly (readonly number[])[];
  /** The units of distances: half the width of each column's bounds. */
  readonly scales: readonly number[];
  /** The noisy number of rows that the last question assigned to each cluster. */
  readonly counts: readonly number[] | null;
  readonly steps: number;
}
