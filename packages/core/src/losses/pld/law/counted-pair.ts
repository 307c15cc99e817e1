import { addUp, multiplyUp, sqrtUp } from "../../../numeric/directed.ts";
import { type DominatingPair, gaussianPair } from "../pairs/index.ts";

/** A pair run `count` ≥ 0 times. */
export interface CountedPair {
  readonly pair: DominatingPair;
  readonly count: bigint;
}

/** Returns the pair of a composition that is one step; null for any other. */
export function onlyStep(pairs: readonly CountedPair[]): DominatingPair | null {
  const [first, ...others] = pairs;
  return others.length === 0 && first?.count === 1n ? first.pair : null;
}

/** Equal pairs as one, no pair zero times, none that tells nothing. */
export function mergePairs(pairs: readonly CountedPair[]): CountedPair[] {
  const byId = new Map<string, CountedPair>();
  for (const { pair, count } of pairs) {
    if (count <= 0n || tellsNothing(pair)) continue;
    const known = byId.get(pair.id);
    byId.set(pair.id, { pair, count: count + (known?.count ?? 0n) });
  }
  return [...byId.values()];
}

/** μ of the composition of all Gaussian pairs, √Σ n·μ², rounded up by a few ulp at most; 0 where there is none. */
export function totalMu(pairs: readonly CountedPair[]): number {
  let square = 0;
  let [single, others] = [0, 0n];
  for (const { pair, count } of pairs) {
    if (pair.gaussian === null) continue;
    single = pair.gaussian;
    others += count;
    square = addUp(square, multiplyUp(Number(count), multiplyUp(pair.gaussian, pair.gaussian)));
  }
  return others === 1n ? single : sqrtUp(square);
}

/** N Gaussians are one (Dong, Roth & Su 2022, Cor. 3.3). A total beyond what a pair holds is left as it is. */
export function mergeGaussians(pairs: readonly CountedPair[]): CountedPair[] {
  const mu = totalMu(pairs);
  if (mu === 0 || mu > 1000) return [...pairs];
  const rest = pairs.filter(({ pair }) => pair.gaussian === null);
  return [...rest, { pair: gaussianPair(mu), count: 1n }];
}

function tellsNothing(pair: DominatingPair): boolean {
  return pair.maxLoss === 0 && pair.maxReverseLoss === 0 && pair.infiniteP === 0 && pair.infiniteQ === 0;
}
