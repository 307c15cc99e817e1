import { multiply, type Rational, ratio } from "../numeric/rational.ts";

/**
 * A density on [0, ∞) proportional to e^{−g(x)} with g(0) = 0, g convex and rising by at least 1 a unit beyond `start`,
 * and how it is proposed: [0, start) in cells of width 1/16 with whole weights, the rest in unit cells. Proof: ./decay.proof.md
 */
export interface Decay {
  readonly name: string;
  /** g. */
  readonly exponent: (x: Rational) => Rational;
  /** Cells below the tail; the tail starts at cells/16. */
  readonly cells: number;
  /** M: cell j weighs ⌈M·e^{−g(j/16)}⌉ out of {@link slots}, and the tail 1. Together they fill all slots. */
  readonly mass: Rational;
}

export const cellsPerUnit = 16;
export const slotBits = 12;
export const slots: number = 1 << slotBits;
/** A proposal's first word: one sign bit, the slot, and the first bits of the uniform that decides acceptance. */
export const acceptanceBits: number = 31 - slotBits;

/** The exponential distribution of mean 1. M is the largest multiple of 1/256 whose weights fit. */
export const exponential: Decay = {
  name: "exponential",
  exponent: (x) => x,
  cells: 144,
  mass: ratio(243n),
};

/** |N(0, 1)|. */
export const halfNormal: Decay = {
  name: "half-normal",
  exponent: (x) => multiply(ratio(1n, 2n), multiply(x, x)),
  cells: 68,
  mass: ratio(50532n, 256n),
};

/** A bound on e^{−g(x)}/density that every tail proposal shares: 16·M·2^{i+1}, for a tail of weight 1 and unit cell i. */
export function tailHeight(decay: Decay, unitCell: number): Rational {
  return multiply(decay.mass, ratio(BigInt(cellsPerUnit) << BigInt(unitCell + 1)));
}
