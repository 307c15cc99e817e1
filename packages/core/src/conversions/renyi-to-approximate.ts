import { leastOverOrders } from "../losses/renyi/curves/least-over-orders.ts";
import type { RenyiCurve } from "../losses/renyi/curves/renyi-curve.ts";
import { nextUp } from "../numeric/directed.ts";
import { checkDelta, checkEpsilon } from "./search/checks.ts";

/**
 * A Rényi curve implies (ε, δ)-DP with
 *   ε = min over all α > 1 of  D_α + log(1 − 1/α) − (log δ + log α)/(α − 1),
 * over a continuum of orders, never a list. ε is 0 as soon as δ² ≥ 1 − e^(−D_α) (Bretagnolle & Huber), and never above a bound on
 * the loss itself. Rounded up.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12; Balle, Barthe, Gaboardi, Hsu & Sato 2020, Thm 21 (C Lemma 7, tight form).
 * Direction: upper
 * Errors: parameter.invalid unless 0 ≤ δ < 1.
 * @example epsilonFromRenyi(zcdpRenyi(0.5), 1e-6) // => 5.2215344445
 */
export function epsilonFromRenyi(curve: RenyiCurve, delta: number): number {
  checkDelta(delta);
  const bounded = curve.maxLoss ?? Number.POSITIVE_INFINITY;
  if (delta === 0) return bounded;
  const logDelta = Math.log(delta);
  const { value } = leastOverOrders((order) => {
    const divergence = curve.at(order);
    if (delta * delta > -Math.expm1(-divergence) * (1 + 1e-14)) return 0;
    const excess = order - 1;
    const rest = logShare(excess);
    const cost = (logDelta + Math.log(order)) / excess;
    const margin = 1e-15 * (divergence + Math.abs(rest) + (Math.abs(logDelta) + Math.log(order)) / excess);
    return divergence + rest - cost + 4 * margin;
  });
  return Math.min(bounded, nextUp(Math.max(0, value)));
}

/**
 * A Rényi curve implies (ε, δ)-DP with
 *   δ = min over all α > 1 of  e^((α−1)(D_α − ε))·(1 − 1/α)^α / (α − 1),
 * and δ ≤ √(1 − e^(−D_α)), which bounds total variation, for any α (Bretagnolle & Huber). 0 from a bound on the loss on. Rounded up.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12; Asoodeh, Liao, Calmon, Kosut & Sankar 2020.
 * Direction: upper
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example deltaFromRenyi(zcdpRenyi(0.5), 4) // => 0.000195795416958
 */
export function deltaFromRenyi(curve: RenyiCurve, epsilon: number): number {
  checkEpsilon(epsilon);
  if (curve.maxLoss !== undefined && epsilon >= curve.maxLoss) return 0;
  const { value } = leastOverOrders((order) => logDeltaAtOrder(order, curve.at(order), epsilon));
  return Math.min(1, nextUp(Math.exp(value)));
}

/** The logarithm of the bound that one order gives, rounded up; what {@link deltaFromRenyi} minimises. */
export function logDeltaAtOrder(order: number, divergence: number, epsilon: number): number {
  const excess = order - 1;
  const exponent = excess * (divergence - epsilon);
  // (1 − 1/α)^α/(α − 1) = (1 − 1/α)^(α−1)/α.
  const rest = excess * logShare(excess) - Math.log(order);
  const margin = 4e-15 * (excess * (divergence + epsilon) + Math.abs(rest) + 1);
  const variation = 0.5 * Math.log(-Math.expm1(-divergence)) + 1e-14;
  return Math.min(exponent + rest + margin, Number.isNaN(variation) ? Number.POSITIVE_INFINITY : variation);
}

/** log(1 − 1/α) of α − 1, to a few ulp of itself at orders of 10^10 too, where it is multiplied by α − 1. */
function logShare(excess: number): number {
  return -Math.log1p(1 / excess);
}
