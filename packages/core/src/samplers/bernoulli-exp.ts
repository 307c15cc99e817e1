import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { one, type Rational, toDouble, toText } from "../numeric/rational.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import { expNegative, expNegativeLimit } from "./exp-negative.ts";
import { LazyUniform } from "./lazy-uniform.ts";

/**
 * True with probability exactly e^{−gamma}: compares a uniform with it, reading one word and more only while both answers
 * are possible. Doubles decide beyond a relative margin of 2^−36 (they are right to 2^−39), integers the rest.
 * Errors: parameter.invalid unless gamma ≥ 0.
 */
export function bernoulliExp(gamma: Rational, bits: BitSource): boolean {
  if (!(gamma.num >= 0n)) throw invalidParameter("gamma", toText(gamma), "≥ 0");
  return belowExp(toDouble(gamma, "down"), () => gamma, bits);
}

/** Is a fresh uniform below e^{−gamma}? `near` is gamma, or NaN: within 2^−40 up to 43, and above 42 beyond. */
export function belowExp(near: number, gamma: () => Rational, bits: BitSource): boolean {
  const first = bits.word();
  // e^{−42} < 2^−60: a word that is not 0 lies above.
  if (near > expNegativeLimit && first > 0) return false;
  const limit = expNegative(near) * 4294967296;
  const margin = limit / 68719476736;
  if (first + 1 <= limit - margin) return true;
  if (first >= limit + margin) return false;
  const [uniform, exact] = [new LazyUniform(BigInt(first), 32), gamma()];
  for (;;) {
    if (compareWithExp(uniform.hi, one, exact) <= 0) return true;
    if (compareWithExp(uniform.lo, one, exact) >= 0) return false;
    uniform.refine(bits);
  }
}
