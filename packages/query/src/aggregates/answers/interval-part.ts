import type { AddedNoise } from "@lethe/core/accuracy";
import type { PlannedAggregate } from "../kinds.ts";
import type { NoisyNumbers } from "./noisy-numbers.ts";

/** A closed range of numbers, whose ends may be infinite. */
export interface NumberRange {
  readonly lo: number;
  readonly hi: number;
}

/** A group's noisy integers to the range of one part of an expression. */
export type PartRange = (noisy: NoisyNumbers) => NumberRange;

/** A part of a computed column whose interval comes from its noise, and how to get its range at a confidence. */
export interface Part {
  /** The same for parts that are the same number. */
  readonly id: string;
  readonly rangeAt: (confidence: number) => PartRange;
}

/** The range of what nothing is known of. */
export const everywhere: NumberRange = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

/** The answers that an expression is made of, in a row of the answer. */
export interface JointAnswers {
  /** Returns the aggregate of this name. */
  aggregateOf(name: string): PlannedAggregate;
  /** Returns the noise between a measured total and the true one. */
  noiseOf(measurement: string): AddedNoise;
}
