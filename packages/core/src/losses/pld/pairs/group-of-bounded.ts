import { multiplyUp } from "../../../numeric/directed.ts";
import type { DominatingPair } from "./dominating-pair.ts";
import { twoPointPair } from "./two-point-pair.ts";

/** A mechanism of pure loss ε is kε-DP for groups of k. Null where the pair is not pure, or the loss beyond what a pair holds. */
export function groupOfBounded(pair: DominatingPair, k: number): DominatingPair | null {
  const epsilon = multiplyUp(Math.max(pair.maxLoss, pair.maxReverseLoss), k);
  const pure = pair.infiniteP === 0 && pair.infiniteQ === 0 && epsilon <= 600;
  return pure ? twoPointPair(Math.max(0, epsilon), 0, false) : null;
}
