import { leastOverOrders } from "../losses/renyi/curves/least-over-orders.ts";
import type { RenyiCurve } from "../losses/renyi/curves/renyi-curve.ts";
import { nextUp } from "../numeric/directed.ts";
import { checkPositiveDelta } from "./search/checks.ts";

/**
 * A Rényi curve implies (ε, δ)-DP with  ε = min over α > 1 of  D_α + log(1/δ)/(α − 1).
 * The textbook form: {@link epsilonFromRenyi} is never larger, and is what is used. Rounded up.
 * Source: Mironov 2017, Prop. 3 (C Lemma 7).
 * Direction: upper
 * Errors: parameter.invalid unless 0 < δ < 1.
 * @example epsilonFromRenyiTextbook(zcdpRenyi(0.5), 1e-6) // => 5.7565217698
 */
export function epsilonFromRenyiTextbook(curve: RenyiCurve, delta: number): number {
  const cost = -Math.log(checkPositiveDelta(delta)) * (1 + 1e-15);
  return nextUp(leastOverOrders((order) => (curve.at(order) + cost / (order - 1)) * (1 + 1e-15)).value);
}
