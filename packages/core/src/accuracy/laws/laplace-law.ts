import { expBracket, lnBracket } from "../../numeric/bracket.ts";
import {
  add,
  ceil,
  divide,
  multiply,
  negate,
  one,
  type Rational,
  ratio,
  toDouble,
} from "../../numeric/rational.ts";
import type { NoiseLaw } from "./noise-law.ts";
import { rangeAround } from "./quantile-range.ts";

/** P[Z = z] = tanh(1/2s)·e^(−|z|/s) for z ∈ ℤ. */
export function laplaceLaw(exactScale: Rational): NoiseLaw {
  const scale = toDouble(exactScale, "up");
  const base = Math.exp(-1 / scale);
  return {
    family: "laplace",
    scale,
    // With a = e^(−1/s), P[Z ≥ k] = aᵏ/(1+a) is ½·a^(k−½) over cosh(1/2s), and 1 ≤ cosh(1/2s) ≤ a^(−1/8s): the
    // quantile functions of Z and of a continuous Laplace variable never differ by more than ½ + 1/8s.
    coupling: 0.5 + 1 / (8 * scale),
    variance: () => 0.5 / Math.sinh(0.5 / scale) ** 2,
    mass: (z) => Math.tanh(0.5 / scale) * Math.exp(-z / scale),
    beyond: (z) => (2 * Math.exp(-(z + 1) / scale)) / (1 + base),
    quantile: (alpha) => laplaceQuantile(exactScale, alpha),
    quantileRange: (alpha) =>
      rangeAround(scale * Math.log(2 / (toDouble(alpha, "down") * (1 + base))) - 1, scale),
  };
}

/**
 * The smallest q ≥ 0 with P[|Z| > q] ≤ alpha:  2·a^(q+1)/(1+a) ≤ alpha  ⇔  q + 1 ≥ s·ln(2/(alpha·(1+a))).
 * The right side is bracketed until both ends give one integer; it is never an integer itself (Lindemann), so this ends.
 * Source: Dwork & Roth 2014, Fact 3.7 (A Fact 2.2, B Claim 3.1), for the mass function that is really drawn.
 * Direction: exact.
 * @example laplaceQuantile(ratio(10n), ratio(1n, 20n)) // => 30n
 */
export function laplaceQuantile(scale: Rational, alpha: Rational): bigint {
  for (let bits = 64 + scale.num.toString(2).length; ; bits *= 2) {
    const base = expBracket(negate(divide(one, scale)), bits);
    const quantileAt = (a: Rational, side: "lo" | "hi"): bigint =>
      ceil(multiply(scale, lnBracket(divide(ratio(2n), multiply(alpha, add(one, a))), bits)[side])) - 1n;
    const q = quantileAt(base.lo, "hi");
    if (q <= 0n) return 0n;
    if (quantileAt(base.hi, "lo") === q) return q;
  }
}
