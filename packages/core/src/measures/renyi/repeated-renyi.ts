import { invalidParameter } from "../../errors/lethe-error.ts";
import { leastOverOrders } from "./least-over-orders.ts";
import { checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/**
 * A mechanism run K times, the best outcome released, K of the truncated negative binomial law of this shape η > −1 and 0 < γ < 1
 * (η = 1: geometric, η = 0: logarithmic):
 *   D_α ≤ D_α(one run) + log E[K]/(α − 1) + (1 + η)·min over λ ≥ 1 of [(1 − 1/λ)·D_λ + log(1/γ)/λ],
 *   E[K] = η(1−γ)/(γ(1−γ^η)), or (1/γ − 1)/log(1/γ) at η = 0.
 * Source: Papernot & Steinke 2022 (arXiv 2110.03620), Thm 2.
 * Direction: upper
 * Errors: parameter.invalid unless shape > −1 is finite and 0 < stop < 1.
 * @example repeatedRenyi(gaussianRenyi(0.01), 1, 0.1).at(20)
 */
export function repeatedRenyi(curve: RenyiCurve, shape: number, stop: number): RenyiCurve {
  if (!(shape > -1 && shape < Number.POSITIVE_INFINITY))
    throw invalidParameter("shape", shape, "> −1 and finite");
  if (!(stop > 0 && stop < 1)) throw invalidParameter("stop", stop, "between 0 and 1, both excluded");
  const logMean = Math.log(meanTrials(shape, stop));
  let price: number | undefined;
  return {
    id: `repeated(negative binomial(${shape}, ${stop}), ${curve.id})`,
    tight: false,
    ...(curve.maxLoss === undefined ? {} : { maxLoss: roundedUp((2 + shape) * curve.maxLoss) }),
    at(order) {
      checkOrder(order);
      price ??= (1 + shape) * pricePerTrial(curve, -Math.log(stop));
      return roundedUp(curve.at(order) + Math.max(0, logMean) / (order - 1) + price);
    },
  };
}

/** E[K] of the truncated negative binomial law; ≥ 1. */
function meanTrials(shape: number, stop: number): number {
  const log = -Math.log(stop);
  // η/(1 − γ^η) → 1/log(1/γ) as η → 0.
  const ratio =
    Math.abs(shape * log) < 1e-9 ? (1 + (shape * log) / 2) / log : shape / -Math.expm1(-shape * log);
  return ((1 - stop) / stop) * ratio * (1 + 1e-8 * Number(Math.abs(shape * log) < 1e-9));
}

function pricePerTrial(curve: RenyiCurve, logInverse: number): number {
  const { value } = leastOverOrders((order) => (1 - 1 / order) * curve.at(order) + logInverse / order);
  return Math.min(logInverse, value, curve.maxLoss ?? Number.POSITIVE_INFINITY);
}

/**
 * The same with K of a Poisson law (and an outcome that says nothing where K = 0):
 *   D_α ≤ D_α(one run) + mean·δ + log(mean)/(α − 1)
 * where one run is (log(α/(α − 1)), δ)-DP. `deltaAt` bounds that δ; by default nothing is known and the curve is +∞ unless the loss is bounded.
 * Source: Papernot & Steinke 2022 (arXiv 2110.03620), Thm 6.
 * Direction: upper
 * Errors: parameter.invalid unless mean > 0 is finite.
 */
export function poissonRepeatedRenyi(
  curve: RenyiCurve,
  mean: number,
  deltaAt: (epsilon: number) => number,
): RenyiCurve {
  if (!(mean > 0 && mean < Number.POSITIVE_INFINITY)) throw invalidParameter("mean", mean, "> 0 and finite");
  return {
    id: `repeated(poisson(${mean}), ${curve.id})`,
    tight: false,
    at(order) {
      checkOrder(order);
      const delta = Math.min(1, deltaAt(-Math.log1p(-1 / order) * (1 - 1e-13)));
      const divergence = curve.at(order) + mean * delta + Math.log(mean) / (order - 1);
      return roundedUp(divergence + 1e-14 * (mean * delta + Math.abs(Math.log(mean)) / (order - 1)));
    },
  };
}
