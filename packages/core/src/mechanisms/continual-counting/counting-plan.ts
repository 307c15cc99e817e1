import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";

/** The factorization of the running sum into the part that is measured and the part that is computed from the measurements. */
export type CountingFactor =
  /** Sums over dyadic intervals; a running total adds at most ⌊log₂ t⌋ + 1 of them. */
  | { readonly kind: "tree" }
  /** Each measurement mixes the last `bands` steps with the coefficients of (1 − z)^(−1/2); `bands` = steps is its full square root. */
  | { readonly kind: "toeplitz"; readonly bands: number };

/** The steps in which neighbouring streams may differ. */
export interface Participation {
  /** Neighbours differ in at most this many steps. */
  readonly participations: number;
  /** Two steps in which they differ are at least this far apart. */
  readonly separation: number;
}

/** Everything about a release of running totals but the data and the coins. */
export interface CountingPlan extends Participation {
  readonly steps: number;
  /** Every step's integer is clamped to [lo, hi]. */
  readonly lo: bigint;
  readonly hi: bigint;
  readonly factor: CountingFactor;
  /** The measurements are integers in units of 2^−gridBits. */
  readonly gridBits: number;
  /** The noise that each measurement draws, in those units. */
  readonly noise: Noise;
  /** The sensitivity of all measurements together, in those units. */
  readonly sensitivity: Sensitivity;
}
