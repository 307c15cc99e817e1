import type { DominatingPair } from "../../losses/pld/pairs/dominating-pair.ts";
import { integerNoisePair } from "../../losses/pld/pairs/integer-noise-pair.ts";
import { laplacePair } from "../../losses/pld/pairs/laplace-pair.ts";
import { twoPointPair } from "../../losses/pld/pairs/two-point-pair.ts";
import { addUp, divideUp, multiplyDown } from "../../numeric/directed.ts";

/** The largest shift whose atoms are listed. For a larger one a pair of real Laplace noise is used, which is a bound. */
const mostShift = 4096n;
/** The largest ε that the pair of real noise holds. */
const mostEpsilon = 600;

/**
 * One integer moved by all of l1: it dominates every integer vector of that ℓ1 sensitivity, and is one. Its losses are
 * (2z − l1)/scale, z = 0 … l1; with l1 = 1 it is randomized response. Proof: ./laplace.proof.md
 */
export function laplaceShift(scale: number, l1: bigint, epsilon: number): DominatingPair {
  if (l1 === 0n) return twoPointPair(0, 0);
  if (l1 === 1n) return twoPointPair(epsilon, 0);
  if (l1 > mostShift) return manyAtoms(scale, epsilon);
  return integerNoisePair({ law: "discrete-laplace", scale }, Number(l1));
}

/** Real noise of ε + 1/(4·scale²) dominates integer noise of ε: ./laplace.proof.md, "Many atoms". It loses no more than randomized response of ε. */
function manyAtoms(scale: number, epsilon: number): DominatingPair {
  const wider = addUp(epsilon, divideUp(0.25, multiplyDown(scale, scale)));
  if (!(wider <= mostEpsilon)) return twoPointPair(epsilon, 0, false);
  return boundBy(laplacePair(wider));
}

function boundBy(pair: DominatingPair): DominatingPair {
  const group = (k: number): DominatingPair | null => {
    const grouped = pair.group(k);
    return grouped === null ? null : boundBy(grouped);
  };
  return { ...pair, id: `at-most(${pair.id})`, tight: false, group };
}
