import type { BitSource } from "@lethe/core";

/** A multiple of 2^−53 in (0, 1]: what most languages call a random number. */
export function uniformDouble(bits: BitSource): number {
  return ((bits.word() >>> 5) * 0x4000000 + (bits.word() >>> 6) + 1) * 2 ** -53;
}

/** A standard normal by Box and Muller's transform, in doubles. */
export function boxMullerDouble(bits: BitSource): number {
  return Math.sqrt(-2 * Math.log(uniformDouble(bits))) * Math.cos(2 * Math.PI * uniformDouble(bits));
}
