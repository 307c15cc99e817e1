import type { Adjacency } from "./measures/adjacency.ts";
import type { PrivacyCurve } from "./measures/privacy-curve.ts";
import type { SamplingScheme } from "./measures/sampling-scheme.ts";

/** The representations in which a calculator holds a loss until an ε or a δ is asked for. */
export type RepresentationId = "pure" | "approximate" | "gaussian" | "zcdp" | "renyi" | "pld";

/**
 * The algebra of losses of one representation. Losses are immutable doubles, rounded toward more loss; what an account charges is an
 * exact `Measure` instead. An operation that no theorem covers is null, never an approximation.
 */
export interface LossAlgebra<L> {
  readonly id: RepresentationId;
  /** The loss of an answer that does not depend on the data. */
  readonly none: L;
  /** Adaptive composition. */
  compose(losses: readonly L[]): L;
  /** n-fold adaptive composition, n ≥ 0: the same as composing n copies, at a price that does not grow with n. */
  power(loss: L, n: bigint): L;
  /** The same mechanism seen by a group of k ≥ 1 units. */
  group(loss: L, k: bigint): L | null;
  /** One of several mechanisms, drawn by public coins of these weights (which sum to 1). */
  mix(parts: readonly { readonly weight: number; readonly loss: L }[]): L | null;
  /**
   * The mechanism run on a sample. `loss` is the mechanism's on what it is given: under add-or-remove-one for Poisson samples,
   * whatever the adjacency of the result; under replace-one for samples without replacement.
   */
  sample(loss: L, scheme: SamplingScheme, adjacency: Adjacency): L | null;
  /** ε, δ and trade-off. `accuracy` is the width of an ε interval that is aimed at where there is a choice (PLD). */
  curve(loss: L, accuracy?: number): PrivacyCurve;
}
