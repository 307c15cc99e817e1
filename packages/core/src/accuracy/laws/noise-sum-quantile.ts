import type { Noise } from "../../mechanisms/noise.ts";
import { doubleAt, elementAt, lastElement } from "../../numeric/elements/element-at.ts";
import { divide, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { continuousTail, type Tail, tailRounding } from "./continuous-tail.ts";
import type { NoiseFamily, NoiseLaw } from "./noise-law.ts";
import { noiseLaw } from "./noise-laws.ts";
import { exactAlpha } from "./noise-quantile.ts";

/** A quantile of |Σ weightᵢ·Zᵢ| as a function of the weights. */
export type WeightedQuantile = (weights: readonly number[]) => number;

/** The largest scale at which a noise is summed value by value; above it, its rounding is a negligible part of its spread. */
const summedUpTo = 8;

/**
 * Prepares w ↦ x with P[|w₀Z₀ + w₁Z₁ + …| > x] ≤ 1 − confidence, for independent noises: never below the true quantile,
 * above it by the rounding of the coarse noises (half a spacing each) and 1e-5. Increases with every |wᵢ| (Birnbaum 1948;
 * Anderson 1955), so a quantile at larger weights bounds all those below it.
 *
 * The last noise, if its scale is small, is summed over exactly: Σ_z P[Z = z]·P[|V + w·z| > x]. All others are replaced by
 * their continuous laws V, which lie within their coupling.
 * Source: Birnbaum 1948 and Anderson 1955 for its growth in the weights.
 * Direction: upper, never below the true quantile.
 * @example noiseSumQuantile([lap(60), lap(2)], 0.95)([1, 30]) // ≈ 260
 */
export function noiseSumQuantile(noises: readonly Noise[], confidence: number): WeightedQuantile {
  return quantileOfSum(noises.map(noiseLaw), exactAlpha(confidence));
}

/** The same from laws and an exact alpha; where that is too small for doubles, the quantiles of all noises one by one. */
export function quantileOfSum(laws: readonly NoiseLaw[], exact: Rational): WeightedQuantile {
  const lost = tailRounding(laws.length);
  const alpha = toDouble(exact, "down") * (1 - 1e-9) - lost;
  if (laws.length > 3 && !(alpha > lost)) return oneByOne(laws, divide(exact, ratio(BigInt(laws.length))));
  const single = laws.map((law) => ({ law, quantile: Number(law.quantile(exact)) * (1 + 2 ** -50) }));
  const last = laws.at(-1);
  const lattice = last && last.scale > 0 && last.scale <= summedUpTo ? massesOf(last, alpha) : null;
  return (weights) => {
    const present = single
      .map(({ law, quantile }, i) => ({ law, quantile, weight: Math.abs(elementAt(weights, i)) }))
      .filter(({ law, weight }) => law.scale > 0 && weight !== 0);
    if (present.length === 0) return 0;
    const finest = lastElement(present);
    if (present.length === 1) return finest.weight * finest.quantile;
    const masses = finest.law === last ? lattice : null;
    const fine = masses === null ? present : present.slice(0, -1);
    const rounding = fine.reduce((total, { law, weight }) => total + weight * law.coupling, 0);
    const upper = tailOf(fine);
    const tail: Tail =
      masses === null
        ? (x) => 2 * upper(x)
        : shiftedTail(upper, tailOf(fine.slice(0, 1)), masses, finest.weight);
    const start = present.reduce(
      (total, { law, weight, quantile }) => Math.hypot(total, weight * Math.max(quantile, law.scale)),
      0,
    );
    return rounding + solve(tail, alpha, start);
  };
}

function oneByOne(laws: readonly NoiseLaw[], each: Rational): WeightedQuantile {
  const single = laws.map((law) => Number(law.quantile(each)));
  return (weights) =>
    weights.reduce((sum, weight, at) => sum + Math.abs(weight) * elementAt(single, at), 0) * (1 + 2 ** -40);
}

function tailOf(terms: readonly { readonly law: NoiseLaw; readonly weight: number }[]): Tail {
  const scaled = (family: NoiseFamily): number[] =>
    terms.filter(({ law }) => law.family === family).map(({ law, weight }) => weight * law.scale);
  const scales: { readonly [F in Exclude<NoiseFamily, "none">]: number[] } = {
    laplace: scaled("laplace"),
    gaussian: scaled("gaussian"),
  };
  return continuousTail(scales.laplace, Math.hypot(...scales.gaussian));
}

/** P[Z = 0], P[Z = 1], … until what is left is a ten-thousandth of alpha, and what is left. */
interface Masses {
  readonly at: Float64Array;
  readonly rest: number;
}

function massesOf(law: NoiseLaw, alpha: number): Masses {
  const at: number[] = [];
  do at.push(law.mass(at.length));
  while (law.beyond(at.length - 1) > 1e-4 * alpha);
  return { at: Float64Array.from(at), rest: law.beyond(at.length - 1) };
}

/**
 * P[|V + spacing·Z| ≥ x], from above. Where z alone exceeds x, a wider V would help, so the narrowest V that the weights
 * allow (its first noise alone) stands there: that keeps the bound increasing in every weight.
 */
function shiftedTail(upper: Tail, narrow: Tail, { at, rest }: Masses, spacing: number): Tail {
  return (x) => {
    let total = rest + doubleAt(at, 0) * 2 * upper(x);
    for (let z = 1; z < at.length; z++) {
      const near = x - spacing * z;
      const pair = (near >= 0 ? upper(near) : narrow(near)) + upper(x + spacing * z);
      total += 2 * doubleAt(at, z) * Math.min(1, pair);
    }
    return total;
  };
}

/** An x with tail(x) ≤ alpha, at most 1e-5 (relative) above the smallest: regula falsi on log tail, which is nearly straight. */
function solve(tail: Tail, alpha: number, start: number): number {
  const excess = (x: number): number => Math.log(Math.max(tail(x), 1e-300) / alpha);
  let low = 0;
  let atLow = Math.log(1 / alpha);
  let high = start;
  let atHigh = excess(high);
  while (!(atHigh <= 0)) {
    low = high;
    atLow = atHigh;
    high *= 1.5;
    atHigh = excess(high);
  }
  while (high - low > 1e-5 * high) {
    // Aim a little beyond the crossing so that the upper end moves too.
    const aim = low + ((high - low) * atLow) / (atLow - atHigh);
    const guarded = Math.min(
      Math.max(aim + 3e-6 * high, low + 0.02 * (high - low)),
      high - 0.02 * (high - low),
    );
    const value = excess(guarded);
    if (value <= 0) {
      high = guarded;
      atHigh = value;
    } else {
      low = guarded;
      atLow = value;
    }
  }
  return high;
}
