import type { NoisyCells } from "@lethe/core";
import type { NumberRange } from "../post/possible.ts";

/** A group's noisy integers, and those of its trees, to the range of one part of an expression. */
export type PartRange = (values: readonly bigint[], trees: readonly NoisyCells[]) => NumberRange;

/** A part of a computed column whose interval comes from its noise, and how to get its range at a confidence. */
export interface Part {
  /** The same for parts that are the same number. */
  readonly id: string;
  readonly rangeAt: (confidence: number) => PartRange;
}

/** The range of what nothing is known of. */
export const everywhere: NumberRange = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
