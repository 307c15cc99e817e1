import type { ConfidenceInterval } from "@lethe/core/accuracy";
import type { NoisyCells } from "@lethe/core/mechanisms";

/** A noisy answer and its interval, in the question's units. */
export interface KnownEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A group's noisy integers, in the order of the plan's measurements, and of its trees, to one aggregate's estimate. */
export type Estimator = (values: readonly bigint[], trees?: readonly NoisyCells[]) => KnownEstimate;

/** Converts grid units to the question's: (x + shift)·step. */
export function scaledEstimate(
  { value, lower, upper }: ConfidenceInterval,
  step: number,
  shift: number,
): KnownEstimate {
  return { value: (value + shift) * step, lower: (lower + shift) * step, upper: (upper + shift) * step };
}
