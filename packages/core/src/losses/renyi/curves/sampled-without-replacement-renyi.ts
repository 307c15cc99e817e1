import { invalidParameter } from "../../../errors/lethe-error.ts";
import { logBinomial } from "../../../numeric/special/log-binomial.ts";
import { logAdd, logOnePlusExp } from "../../../numeric/special/log-space.ts";
import { chordOfIntegers } from "./chord-of-integers.ts";
import { checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";
import { logExpm1 } from "./sampled-renyi.ts";
import { trapezoidLogSum } from "./trapezoid-log-sum.ts";

/**
 * A mechanism with this curve for replace-one, run on a uniformly random set of `sample` of `population` units. With γ =
 * sample/population, at integer orders n
 *   E ≤ 1 + C(n,2)·γ²·min(4(e^(D₂)−1), 2e^(D₂)) + Σ_{j≥3} C(n,j)·γ^j·min(2e^((j−1)D_j), (e^ε−1)^j·e^((j−1)D_j), 4√(B_{2⌊j/2⌋}·B_{2⌈j/2⌉})),
 * the second where the loss is bounded by ε, the third for Gaussians, B_l = E_Q|P/Q − 1|^l; chords between integers. Never above the curve
 * itself. Proof: ./sampled-without-replacement-renyi.proof.md.
 * Source: Wang, Balle & Kasiviswanathan 2019 (arXiv 1808.00087), Thm 9 and 27.
 * Direction: upper
 * Errors: parameter.invalid unless 0 ≤ sample ≤ population are integers and population ≥ 1.
 * @example sampledWithoutReplacementRenyi(gaussianRenyi(0.25), 100, 1).at(2) // => 0.000113603713529
 */
export function sampledWithoutReplacementRenyi(
  curve: RenyiCurve,
  population: number,
  sample: number,
): RenyiCurve {
  if (!(Number.isSafeInteger(population) && population >= 1)) {
    throw invalidParameter("population", population, "an integer ≥ 1");
  }
  if (!(Number.isSafeInteger(sample) && sample >= 0 && sample <= population)) {
    throw invalidParameter("sample", sample, "an integer from 0 to the population");
  }
  const id = `without-replacement(${sample} of ${population}, ${curve.id})`;
  if (sample === population) return curve;
  if (sample === 0) return { id, tight: true, maxLoss: 0, at: (order) => 0 * checkOrder(order) };
  const rate = sample / population;
  const moments = new Map<number, number>();
  const logMoment = (l: number): number => {
    let value = moments.get(l);
    if (value === undefined) {
      value = curve.muSquared === undefined ? Number.POSITIVE_INFINITY : logEvenMoment(curve.muSquared, l);
      moments.set(l, value);
    }
    return value;
  };
  const logExcess = (n: number): number => {
    const logRate = Math.log(rate);
    const bounded = curve.maxLoss === undefined ? Number.POSITIVE_INFINITY : logExpm1(curve.maxLoss);
    let total = Number.NEGATIVE_INFINITY;
    for (let j = 2; j <= n; j++) {
      const exponent = (j - 1) * curve.at(j);
      const sharp =
        j === 2
          ? Math.log(4) + logExpm1(exponent)
          : Math.log(4) + (logMoment(j - (j % 2)) + logMoment(j + (j % 2))) / 2;
      const moment = Math.min(sharp, exponent + Math.min(Math.LN2, j * bounded));
      total = logAdd(total, logBinomial(n, j) + j * logRate + moment);
    }
    return total;
  };
  const chord = chordOfIntegers(logExcess);
  return {
    id,
    tight: false,
    ...(curve.maxLoss === undefined
      ? {}
      : {
          maxLoss:
            curve.maxLoss > 700 ? curve.maxLoss : roundedUp(Math.log1p(rate * Math.expm1(curve.maxLoss))),
        }),
    at(order) {
      const whole = curve.at(checkOrder(order));
      return Math.min(whole, minkowski(whole, rate, order), chord(order));
    },
  };
}

/** ‖P/P′‖_α ≤ 1 + γ·‖(ω₁−ω₁′)/P′‖_α ≤ 1 + γ·(2e^((α−1)D_α))^(1/α), at any order. */
function minkowski(divergence: number, rate: number, order: number): number {
  const norm = Math.log(rate) + (Math.LN2 + (order - 1) * divergence) / order;
  return roundedUp((order / (order - 1)) * logOnePlusExp(norm));
}

/**
 * log E[(e^(μz − μ²/2) − 1)^l], z ~ N(0,1), for even l: the trapezoid rule on an entire function with Fourier transform below
 * 2^l·e^(l(l−1)μ²/2)·e^(−ω²/2). Rounded up.
 */
function logEvenMoment(muSquared: number, l: number): number {
  const mu = Math.sqrt(muSquared);
  const logTerm = (z: number): number => {
    const w = mu * z - muSquared / 2;
    return l * (w > 36 ? w : Math.log(Math.abs(Math.expm1(w)))) - (z * z) / 2;
  };
  const reach = Math.sqrt(l) + 13;
  const magnitude = l * Math.LN2 + (l * (l - 1) * muSquared) / 2 + 1;
  let wanted = 40 + l;
  for (;;) {
    const step = Math.PI * Math.sqrt(2 / wanted);
    if (!((l * mu + 2 * reach) / step <= 100_000)) return Number.POSITIVE_INFINITY;
    const { log: sum, rounding } = trapezoidLogSum(logTerm, -reach, l * mu + reach, step);
    const error = magnitude - wanted;
    if (error <= sum - 32) return sum + 2e-14 + rounding + l * 2 ** -50;
    wanted += Math.max(10, error - sum + 34);
  }
}
