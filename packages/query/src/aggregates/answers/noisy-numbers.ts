import type { NoisyCells } from "@lethe/core/mechanisms";

/** The noisy integers of a group, by the names of what was measured. */
export interface NoisyNumbers {
  /** Returns the noisy integer of a measurement. */
  total(measurement: string): bigint;
  /** Returns the noisy integers of a tree. */
  cells(tree: string): NoisyCells;
}
