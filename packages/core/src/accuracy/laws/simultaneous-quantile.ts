import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../../mechanisms/noise.ts";
import { fromDouble, type Rational, toDouble } from "../../numeric/rational.ts";
import { noiseLaw } from "./noise-laws.ts";
import { exactAlpha } from "./noise-quantile.ts";

/**
 * The smallest integer q (grid units) for which max |Zᵢ| ≤ q holds with this confidence for d independent draws of a
 * noise: one error bar for all coordinates at once, from the mass function that is drawn.
 *   (1 − P[|Z| > q])^d ≥ confidence  ⇔  P[|Z| > q] ≤ 1 − confidence^(1/d),
 * which is more than the η/d of a union bound. For Laplace noise this is (Δ₁/ε)·ln(d/η) and a little less.
 * Source: A Fact 2.2, A Cor 2.3, A Fact 2.8 with the √ln(1/δ) inside σ; B Claim 3.1.
 * Direction: exact up to a relative 1e-12 of the tail's bound, on the side of a larger q.
 * Errors: parameter.invalid unless 0 < confidence < 1 and d is an integer ≥ 1.
 * @example simultaneousQuantile({ mechanism: "discrete-laplace@1", scale: "10" }, 100, 0.95) // => 76n
 */
export function simultaneousQuantile(noise: Noise, coordinates: number, confidence: number): bigint {
  return noiseLaw(noise).quantile(eachAlpha(coordinates, exactAlpha(confidence)));
}

/** At most 1 − (1 − η)^(1/d): how often each of d independent intervals may fail so that all hold but for a chance η. */
export function eachAlpha(coordinates: number, eta: Rational): Rational {
  if (!(Number.isSafeInteger(coordinates) && coordinates >= 1)) {
    throw invalidParameter("coordinates", coordinates, "an integer ≥ 1");
  }
  if (coordinates === 1) return eta;
  const each = -Math.expm1(Math.log1p(-toDouble(eta, "down")) / coordinates);
  return fromDouble(each * (1 - 1e-12));
}
