import type { ConfidenceInterval } from "@lethe/core/accuracy";
import type { NoisyNumbers } from "./noisy-numbers.ts";

/** A noisy answer and its interval, in the question's units. */
export interface KnownEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A group's noisy integers to one aggregate's estimate. */
export type Estimator = (noisy: NoisyNumbers) => KnownEstimate;

/** Converts grid units to the question's: (x + shift)·step. */
export function scaledEstimate(
  { value, lower, upper }: ConfidenceInterval,
  step: number,
  shift: number,
): KnownEstimate {
  return { value: (value + shift) * step, lower: (lower + shift) * step, upper: (upper + shift) * step };
}
