import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { type Rational, toText } from "../numeric/rational.ts";
import { uniformBelow } from "./uniform-below.ts";

/** True with probability exactly p. Errors: parameter.invalid unless 0 ≤ p ≤ 1. */
export function bernoulli(p: Rational, bits: BitSource): boolean {
  if (!(p.num >= 0n && p.num <= p.den)) throw invalidParameter("p", toText(p), "between 0 and 1");
  return uniformBelow(p.den, bits) < p.num;
}
