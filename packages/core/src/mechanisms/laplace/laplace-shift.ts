import type { DominatingPair } from "../../losses/pld/pairs/dominating-pair.ts";
import { integerNoisePair } from "../../losses/pld/pairs/integer-noise-pair.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";

/** The largest shift whose atoms are listed. For a larger one the pair of randomized response is used, which is a bound. */
const mostShift = 4096n;

/**
 * One integer moved by all of l1: it dominates every integer vector of that ℓ1 sensitivity, and is one. Its losses are
 * (2z − l1)/scale, z = 0 … l1; with l1 = 1 it is randomized response. Proof: ./laplace.proof.md
 */
export function laplaceShift(scale: number, l1: bigint, epsilon: number): DominatingPair {
  if (l1 === 0n) return twoPointPair(0, 0);
  if (l1 === 1n) return twoPointPair(epsilon, 0);
  if (l1 > mostShift) return twoPointPair(epsilon, 0, false);
  return integerNoisePair({ law: "discrete-laplace", scale }, Number(l1));
}
