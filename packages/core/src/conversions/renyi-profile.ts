import type { RenyiCurve } from "../losses/renyi/curves/renyi-curve.ts";
import { nextUp } from "../numeric/directed.ts";
import { logDeltaAtOrder } from "./renyi-to-approximate.ts";
import { checkEpsilon } from "./search/checks.ts";

/** log(α − 1) from −10 to 16 in steps of 0.1: close enough that the least over them is within 10⁻³ of the least over all. */
const orders: readonly number[] = Array.from({ length: 261 }, (_, i) => 1 + Math.exp(-10 + i / 10));

/**
 * δ(ε) of a Rényi curve for many ε: the bound of `deltaFromRenyi` at a fixed list of orders, at each of which the curve is asked
 * once. Every order gives a true bound, so the list costs tightness alone. Rounded up.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12.
 * Direction: upper
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example renyiProfile(zcdpRenyi(0.5))(4) // => 0.000196, deltaFromRenyi's 0.0001958
 */
export function renyiProfile(curve: RenyiCurve): (epsilon: number) => number {
  let divergences: readonly { readonly order: number; readonly divergence: number }[] | undefined;
  return (epsilon) => {
    checkEpsilon(epsilon);
    if (curve.maxLoss !== undefined && epsilon >= curve.maxLoss) return 0;
    divergences ??= orders
      .map((order) => ({ order, divergence: curve.at(order) }))
      .filter(({ divergence }) => divergence < Number.POSITIVE_INFINITY);
    let least = 0;
    for (const { order, divergence } of divergences) {
      least = Math.min(least, logDeltaAtOrder(order, divergence, epsilon));
    }
    return Math.min(1, nextUp(Math.exp(least)));
  };
}
