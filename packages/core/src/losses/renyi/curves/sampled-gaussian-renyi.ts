import { invalidParameter } from "../../../errors/lethe-error.ts";
import { logOnePlusExp } from "../../../numeric/special/log-space.ts";
import { logPowerExcess } from "../../../numeric/special/power-excess.ts";
import { gaussianRenyi } from "./gaussian-renyi.ts";
import {
  checkFiniteLoss,
  checkOrder,
  divergenceFromLogExcess,
  type RenyiCurve,
  roundedUp,
} from "./renyi-curve.ts";
import { trapezoidLogSum } from "./trapezoid-log-sum.ts";

/**
 * A Gaussian mechanism with (Δ₂/σ)² = muSquared on a Poisson sample of this rate, add-or-remove-one, at every order α > 1:
 * with r(z) = e^(μz − μ²/2) under N(0,1),
 *   D_α = log( 1 + E[(1 + x)^α − 1 − αx] ) / (α − 1),   x = rate·(r(z) − 1),   E[x] = 0.
 * The expectation has terms of one sign; it is summed by the trapezoid rule, whose error is bounded on a strip around the real
 * line and accounted for. This is the direction "with the unit against without"; the other is never larger, because the
 * reflection z → μ − z exchanges the two laws (proof: ./sampled-gaussian-renyi.proof.md).
 * Source: Mironov, Talwar & Zhang 2019 (arXiv 1908.10530), Thm 4 and 5 (E, DP-SGD).
 * Direction: exact
 * Errors: parameter.invalid unless muSquared ≥ 0 and finite and 0 ≤ rate ≤ 1.
 * @example sampledGaussianRenyi(1, 0.01).at(2.5) // => 0.000217575332
 */
export function sampledGaussianRenyi(muSquared: number, rate: number): RenyiCurve {
  checkFiniteLoss("muSquared", muSquared);
  checkRate(rate);
  if (rate === 1) return gaussianRenyi(muSquared);
  if (rate === 0 || muSquared === 0) return gaussianRenyi(0);
  const mu = Math.sqrt(muSquared);
  return {
    id: `poisson(${rate}, gaussian(μ²=${muSquared}))`,
    tight: true,
    at(order) {
      checkOrder(order);
      const simple = minkowski(mu, rate, order);
      if (simple.settled) return simple.bound;
      const logExcess = logExcessOf(mu, rate, order);
      return logExcess === null
        ? simple.bound
        : Math.min(simple.bound, divergenceFromLogExcess(order, logExcess));
    },
  };
}

/** Errors: parameter.invalid unless 0 ≤ rate ≤ 1. */
export function checkRate(rate: number): number {
  if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "in [0, 1]");
  return rate;
}

/**
 * ‖(1−q) + q·r‖_α ≤ (1−q) + q·‖r‖_α: an upper bound at any order. Dropping 1 − q is a lower bound; where the two agree to all
 * digits that count (large orders, little noise), the matter is settled.
 */
function minkowski(mu: number, rate: number, order: number): { bound: number; settled: boolean } {
  const half = ((order - 1) * mu * mu) / 2;
  const exponent = Math.log(rate) + half;
  const upper =
    half < 1
      ? Math.log1p(rate * Math.expm1(half))
      : exponent + logOnePlusExp(Math.log1p(-rate) - exponent) + 1e-15;
  const share = order / (order - 1);
  return { bound: roundedUp(share * upper), settled: exponent > 0 && upper - exponent <= 1e-13 * exponent };
}

/** More nodes than this are never needed where {@link minkowski} is not as good. */
const mostNodes = 200_000;

/** log E[(1+x)^α − 1 − αx], rounded up; null where it would take too many nodes. */
function logExcessOf(mu: number, rate: number, order: number): number | null {
  const logRate = Math.log(rate);
  const logRest = Math.log1p(-rate);
  const logTerm = (z: number): number => {
    const w = mu * z - (mu * mu) / 2;
    const x = w < 600 ? rate * Math.expm1(w) : rate * Number.MAX_VALUE;
    const log = x < 1 ? Math.log1p(x) : logRate + w + Math.log1p(Math.exp(logRest - logRate - w));
    return logPowerExcess(order, x, log) - (z * z) / 2;
  };
  const right = Math.max(2, order) * mu;
  // The integrand is analytic for |Im z| < π/μ, and there |(1−q) + q·r(z)| ≤ (1−q) + q·r(Re z).
  const strip = (0.999 * Math.PI) / mu;
  let wanted =
    60 - Math.min(0, 2 * logRate + Math.log(((order - 1) * order) / 2) + Math.log(Math.min(1, mu * mu)));
  for (;;) {
    const free = Math.PI * Math.sqrt(2 / wanted);
    const step = free >= 2 * mu ? free : (2 * Math.PI * strip) / (wanted + (strip * strip) / 2);
    if (!((right + 26) / step <= mostNodes)) return null;
    const { log: sum, rounding } = trapezoidLogSum(logTerm, -13, right + 13, step);
    const depth = Math.min(strip, (2 * Math.PI) / step);
    // |error| ≤ 2·e^(a²/2)·(E|1+x|^α + 1 + 2αq)/(e^(2πa/h) − 1) for every a inside the strip (Trefethen & Weideman 2014, Thm 5.1).
    const magnitude = logOnePlusExp(Math.max(sum, Math.log(1 + 4 * order * rate))) + Math.LN2;
    const error = magnitude + Math.LN2 + (depth * depth) / 2 - (2 * Math.PI * depth) / step + 1e-9;
    if (error <= sum - 32) return sum + 2e-14 + rounding;
    wanted += Math.max(10, error - sum + 34);
  }
}
