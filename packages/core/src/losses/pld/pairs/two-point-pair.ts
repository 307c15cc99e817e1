import { invalidParameter } from "../../../errors/lethe-error.ts";
import { divideUp, multiplyUp, nextUp } from "../../../numeric/directed.ts";
import { discretePair } from "./discrete-pair.ts";
import type { DominatingPair } from "./dominating-pair.ts";

/**
 * The worst pair of all (ε, δ)-DP mechanisms: randomized response of losses ±ε, and with probability δ everything is told
 * (Kairouz, Oh & Viswanath 2015, Thm 3.3). `tight` is false for a black box, which may lose less than it promises.
 * Errors: parameter.invalid unless 0 ≤ ε ≤ 600 and 0 ≤ δ ≤ 1.
 * Source: Kairouz, Oh & Viswanath 2015 (arXiv 1311.0776), Thm 3.3
 * Direction: exact
 */
export function twoPointPair(epsilon: number, delta: number, tight: boolean = true): DominatingPair {
  if (!(epsilon >= 0 && epsilon <= 600)) throw invalidParameter("epsilon", epsilon, "a number in [0, 600]");
  if (!(delta >= 0 && delta <= 1)) throw invalidParameter("delta", delta, "a number in [0, 1]");
  const likely = (1 - delta) / (1 + Math.exp(-epsilon));
  const unlikely = (1 - delta) / (1 + Math.exp(epsilon));
  const losses = delta === 1 ? [] : epsilon === 0 ? [0] : [-epsilon, epsilon];
  const masses = delta === 1 ? [] : epsilon === 0 ? [1 - delta] : [unlikely, likely];
  return discretePair({
    id: `two-point(${epsilon},${delta},${tight})`,
    tight,
    atoms: {
      loss: Float64Array.from(losses),
      p: Float64Array.from(masses),
      q: Float64Array.from(masses).reverse(),
    },
    infiniteP: delta,
    infiniteQ: delta,
    group: (k) => groupOf(epsilon, delta, k),
  });
}

/** (kε, δ·(e^{kε} − 1)/(e^ε − 1))-DP (Vadhan 2017, Lemma 2.2). */
function groupOf(epsilon: number, delta: number, k: number): DominatingPair | null {
  if (k === 1) return twoPointPair(epsilon, delta, false);
  const total = epsilon === 0 ? 0 : nextUp(epsilon * k);
  if (!(total <= 600)) return null;
  if (delta === 0) return twoPointPair(total, 0, false);
  const growth = epsilon === 0 ? k : Math.expm1(total) / Math.expm1(epsilon);
  return twoPointPair(total, Math.min(1, multiplyUp(divideUp(growth, 1 - 1e-14), delta)), false);
}
