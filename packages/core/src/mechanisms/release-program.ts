import type { SelectionRule } from "../events/event.ts";
import type { KeyValue } from "../exact/exact-rows.ts";
import type { Noise } from "./noise.ts";
import type { CellTree, NoisyCells } from "./quantile-tree/noisy-cells.ts";

/** The steps that turn exact rows into a release: pure data, part of the plan and so of the certificate. */
export interface ReleaseProgram {
  readonly measurements: readonly MeasurementProgram[];
  /** Hierarchies of counts of cells, each of its own exact rows; none unless stated. */
  readonly trees?: readonly TreeProgram[];
  readonly keys: KeyProgram;
  /** Measurements of coarser groupings; none unless stated. */
  readonly totals?: readonly TotalsProgram[];
}

/**
 * Noisy integers of the groups that agree in some of the keys, with noise of their own: of all groups there are, released or
 * not. Those of the declared keys are answered, or those that a released group belongs to.
 */
export interface TotalsProgram {
  /** Its keys, as places among all keys. */
  readonly keys: readonly number[];
  readonly declared?: readonly (readonly KeyValue[])[];
  readonly measurements: readonly MeasurementProgram[];
}

/** One noisy integer a group: Σ coefficient · sums[column], plus noise. */
export interface MeasurementProgram {
  readonly terms: readonly { readonly column: number; readonly coefficient: string }[];
  readonly noise: Noise;
}

/** Noisy counts of all nodes of a tree over cells a group. */
export interface TreeProgram extends CellTree {
  readonly noise: Noise;
}

export type KeyProgram =
  /** No GROUP BY: one answer. */
  | { readonly kind: "none" }
  /** The declared keys, all answered, present or not; any other key is ignored. */
  | { readonly kind: "public"; readonly groups: readonly (readonly KeyValue[])[] }
  /** Keys are data: each passes the selection rule, on its number of units. */
  | { readonly kind: "private"; readonly rule: SelectionRule };

/** A group as it may leave. `values[i]` is measurement i's noisy integer, in grid units. */
export interface NoisyGroup {
  readonly key: readonly KeyValue[];
  readonly values: readonly bigint[];
  /** `trees[i]` holds the noisy counts of the program's tree i. */
  readonly trees: readonly NoisyCells[];
}
