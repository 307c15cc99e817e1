import type { ClippedSums } from "../../clipping/clipped-gradients.ts";

/**
 * Another thread that sums a share of a batch over the same network, rows and clips. It is started, and then waited for. The sums between start and
 * finish are exact, and stay within the process.
 */
export interface Lane {
  start(weights: Float64Array, batch: Uint32Array, clip: number): void;
  /** Waits for the sums. They are the lane's own memory, and hold until its next start. Errors: internal.invariant where the lane failed. */
  finish(): ClippedSums;
}
