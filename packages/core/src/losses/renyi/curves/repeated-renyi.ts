import { invalidParameter } from "../../../errors/lethe-error.ts";
import { logOnePlusExp } from "../../../numeric/special/log-space.ts";
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
  const { value } = leastOverOrders((order) => ((order - 1) / order) * curve.at(order) + logInverse / order);
  return Math.min(logInverse, value, curve.maxLoss ?? Number.POSITIVE_INFINITY);
}

/**
 * The same with K of a Poisson law, and where K = 0 an outcome that says nothing, of mass e^(−mean) under both laws. The smaller of
 *   log( e^(−mean) + mean·e^((α−1)(D_α + mean·δ)) )/(α − 1)   where one run is (log(α/(α − 1)), δ)-DP, and
 *   mean·(e^((α−1)D_α) − 1)/(α − 1),   the price of releasing all K outcomes,
 * D_α that of one run. The theorem as printed leaves out e^(−mean): below a mean of 1 it would promise what is not so, at small means no loss
 * at all. `deltaAt` bounds that δ.
 * Source: Papernot & Steinke 2022 (arXiv 2110.03620), Thm 6 with the outcome of K = 0; the second by convexity (Mironov 2017, Prop. 1).
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
      const excess = order - 1;
      const single = excess * curve.at(order);
      const all = mean * Math.expm1(single);
      const delta = Math.min(1, deltaAt(-Math.log1p(-1 / order) * (1 - 1e-13)));
      const some = Math.log(mean) + single + excess * mean * delta;
      const margin = 1e-15 * (1 + mean + Math.abs(Math.log(mean)) + single + excess * mean * delta);
      const best = logOnePlusExp(some + mean) - mean + margin;
      return roundedUp(Math.min(all, best) / excess);
    },
  };
}
