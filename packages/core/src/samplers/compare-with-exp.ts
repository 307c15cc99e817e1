import { expBracket } from "../numeric/bracket.ts";
import { compare, multiply, negate, type Rational } from "../numeric/rational.ts";

/**
 * The sign of r − a·e^{−gamma} for rationals a > 0 and gamma ≥ 0. Always ends: e^{−gamma} is irrational for rational
 * gamma ≠ 0 (Lindemann), so equality is possible at gamma = 0 alone, where it is decided exactly.
 */
export function compareWithExp(r: Rational, a: Rational, gamma: Rational): number {
  if (gamma.num === 0n) return compare(r, a);
  const minus = negate(gamma);
  for (let bits = 64; ; bits *= 2) {
    const { lo, hi } = expBracket(minus, bits);
    if (compare(r, multiply(a, hi)) >= 0) return 1;
    if (compare(r, multiply(a, lo)) <= 0) return -1;
  }
}
