import type { BitSource } from "../entropy/bit-source.ts";

/** Integer noise with exactly the stated mass function, given fair bits. Immutable in effect; make it once, draw often. */
export interface Sampler {
  /** One draw. */
  sample(bits: BitSource): bigint;
  /**
   * Independent draws, as doubles that are exact integers. The same coins give the same numbers as {@link sample}.
   * Errors: parameter.invalid where |z| could plausibly pass 2^53 (probability above e^-100).
   */
  fill(out: Float64Array, bits: BitSource): void;
}
