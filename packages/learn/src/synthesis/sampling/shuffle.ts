import type { BitSource } from "@lethe/core";
import { intAt } from "@lethe/core/numeric";

/** A uniform number in [0, 1), of 32 bits: for drawing from what was released, never for noise. */
export function uniform(bits: BitSource): number {
  return bits.word() / 2 ** 32;
}

/** Puts a list in a random order, in place (Fisher & Yates). */
export function shuffle(values: Int32Array, bits: BitSource): void {
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(uniform(bits) * (at + 1));
    const kept = intAt(values, at);
    values[at] = intAt(values, other);
    values[other] = kept;
  }
}
