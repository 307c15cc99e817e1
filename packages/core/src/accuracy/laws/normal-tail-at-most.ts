import { normalTailBracket } from "../../numeric/bracket.ts";
import { compare, type Rational } from "../../numeric/rational.ts";

/** Whether P[N(0,1) > x] ≤ bound is certain. A tie that 1024 bits cannot resolve counts as no. */
export function normalTailAtMost(x: Rational, bound: Rational): boolean {
  for (let bits = 64; bits <= 1024; bits *= 2) {
    const tail = normalTailBracket(x, bits);
    if (compare(tail.hi, bound) <= 0) return true;
    if (compare(tail.lo, bound) > 0) return false;
  }
  return false;
}
