import { logBinomial } from "../../../numeric/special/log-binomial.ts";
import { logAdd, logOnePlusExp } from "../../../numeric/special/log-space.ts";
import { powerExcess } from "../../../numeric/special/power-excess.ts";
import { chordOfIntegers } from "./chord-of-integers.ts";
import { checkOrder, divergenceFromExcess, type RenyiCurve, roundedUp } from "./renyi-curve.ts";
import { checkRate, sampledGaussianRenyi } from "./sampled-gaussian-renyi.ts";

/**
 * Any mechanism with this curve (for add-or-remove-one), run on a Poisson sample of this rate q. At integer orders n
 *   with against without:   E ≤ Σ_l C(n,l)·(1−q)^(n−l)·q^l·e^((l−1)D_l) = 1 + B,
 *   without against with:   E ≤ 1 + min(2B, C(n,2)·q²(e^(D₂)−1) + Σ_{j≥3} C(n,j)·q^j·m_j),
 * m_j = (1−q) + q·e^((j−1)D_j) for odd j, 1 + e^((j−1)D_j) for even j, and never above (e^ε − 1)^j where the loss is bounded by ε;
 * between integers (α−1)·D_α is convex, so the chord bounds it. Never above the curve itself (joint quasi-convexity). Where
 * the curve is a Gaussian's the exact {@link sampledGaussianRenyi} answers; where its loss is bounded by ε, the
 * sampled randomized response, which dominates, is a second bound.
 * Proof: ./sampled-renyi.proof.md.
 * Source: Zhu & Wang 2019, Thm 5 and 6; the factor 2 is proven in the note.
 * Direction: upper
 * Errors: parameter.invalid unless 0 ≤ rate ≤ 1.
 * @example sampledRenyi(laplaceRenyi(1), 0.01).at(2) // at most 8.6e-5
 */
export function sampledRenyi(curve: RenyiCurve, rate: number): RenyiCurve {
  checkRate(rate);
  if (curve.muSquared !== undefined) return sampledGaussianRenyi(curve.muSquared, rate);
  if (rate === 1) return curve;
  const id = `poisson(${rate}, ${curve.id})`;
  if (rate === 0) return { id, tight: true, maxLoss: 0, at: (order) => 0 * checkOrder(order) };
  const chord = chordOfIntegers((n) => logExcessAt(curve, rate, n));
  const { maxLoss } = curve;
  return {
    id,
    tight: false,
    ...(maxLoss === undefined ? {} : { maxLoss: sampledMaxLoss(maxLoss, rate) }),
    at(order) {
      const whole = curve.at(checkOrder(order));
      const bounded = maxLoss === undefined ? whole : Math.min(whole, sampledPure(maxLoss, rate, order));
      return Math.min(bounded, minkowski(whole, rate, order), chord(order));
    },
  };
}

/** log(1 + q(e^ε − 1)), rounded up. Source: Balle, Barthe & Gaboardi 2018, Thm 8. */
function sampledMaxLoss(epsilon: number, rate: number): number {
  if (epsilon > 700) return roundedUp(epsilon + Math.log(rate + Math.exp(-epsilon)));
  return roundedUp(Math.log1p(rate * Math.expm1(epsilon)));
}

/** Randomized response of ε on the sample; its two laws are exchanged by flipping the bit, so one direction is enough. */
function sampledPure(epsilon: number, rate: number, order: number): number {
  if (order * epsilon > 500) return Number.POSITIVE_INFINITY;
  const rare = 1 / (1 + Math.exp(epsilon));
  const excess =
    rare * powerExcess(order, rate * Math.expm1(epsilon)) +
    (1 - rare) * powerExcess(order, rate * Math.expm1(-epsilon));
  return divergenceFromExcess(order, excess);
}

/** ‖(1−q) + q·r‖_α ≤ (1−q) + q·e^((α−1)D_α/α), and twice the excess for the other direction: at any order. */
function minkowski(divergence: number, rate: number, order: number): number {
  const half = ((order - 1) * divergence) / order;
  const norm = Math.log(rate) + half;
  const log =
    order *
    (half < 1 ? Math.log1p(rate * Math.expm1(half)) : norm + logOnePlusExp(Math.log1p(-rate) - norm) + 1e-15);
  return roundedUp((log < 30 ? Math.log1p(2 * Math.expm1(log)) : log + Math.LN2) / (order - 1), 1e-11);
}

/** log of the bound on E − 1 at an integer order, both directions. */
function logExcessAt(curve: RenyiCurve, rate: number, n: number): number {
  const [logRate, logRest] = [Math.log(rate), Math.log1p(-rate)];
  const bounded = curve.maxLoss === undefined ? Number.POSITIVE_INFINITY : logExpm1(curve.maxLoss);
  let forward = Number.NEGATIVE_INFINITY;
  let backward = Number.NEGATIVE_INFINITY;
  for (let l = 2; l <= n; l++) {
    const exponent = (l - 1) * curve.at(l);
    if (exponent === Number.POSITIVE_INFINITY) return exponent;
    const weight = logBinomial(n, l) + l * logRate;
    forward = logAdd(forward, weight + (n - l) * logRest + logExpm1(exponent));
    const moment = l % 2 === 0 ? logAdd(0, exponent) : logAdd(logRest, logRate + exponent);
    backward = logAdd(backward, weight + (l === 2 ? logExpm1(exponent) : Math.min(moment, l * bounded)));
  }
  return Math.max(forward, Math.min(backward, forward + Math.LN2));
}

/** log(eˣ − 1) for x ≥ 0. */
export function logExpm1(x: number): number {
  return x > 36 ? x : Math.log(Math.expm1(x));
}
