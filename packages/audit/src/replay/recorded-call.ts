import type { Adjacency, BitSource, Event } from "@lethe/core";

/** How far inputs may move between neighbours, as the caller declared it; a norm that is left out is not bounded. */
export interface Limits {
  readonly l1?: bigint;
  readonly l2Squared?: bigint;
  /** The most that one input moves. */
  readonly max?: bigint;
  /** The most that a difference of two inputs moves. */
  readonly range?: bigint;
  /** Inputs are rows in no order: so many may come or go, or be others in their place. */
  readonly rows?: { readonly most: bigint; readonly adjacency: Adjacency };
}

/** One call of a mechanism: all that is public, the inputs that are not, and the draw. */
export interface MechanismCall {
  readonly mechanism: string;
  /** Everything but the inputs, as one text. */
  readonly parameters: string;
  readonly event: Event;
  readonly inputs: readonly bigint[];
  readonly limits: Limits;
  draw(bits: BitSource): unknown;
  /** Told the output, drawn or frozen. */
  answered?(output: unknown): void;
}
