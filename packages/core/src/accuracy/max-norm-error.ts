import { invalidParameter } from "../errors/lethe-error.ts";
import {
  type BoundedNoise,
  boundedWeights,
  type FeaturePlan,
  type MaxNormNoise,
} from "../mechanisms/marginals/index.ts";
import { elementAt } from "../numeric/elements/element-at.ts";
import { parseRational, toDouble } from "../numeric/rational.ts";
import { exactAlpha } from "./laws/noise-quantile.ts";
import { eachAlpha, simultaneousQuantile } from "./laws/simultaneous-quantile.ts";
import { smallestCertified } from "./laws/smallest-certified.ts";

/** P[Gamma(d) > x] = e^(−x)·Σ_{i<d} xⁱ/i!, summed from its largest term. */
function gammaTail(d: number, x: number): number {
  // log(xⁱ/i!) at the largest i below d that is at most x.
  const start = Math.min(d - 1, Math.floor(x));
  let log = 0;
  for (let i = 1; i <= start; i++) log += Math.log(x / i);
  let [sum, term] = [0, 1];
  for (let i = start; i >= 0 && term > 1e-18; i--) {
    sum += term;
    term *= i / x;
  }
  term = x / (start + 1);
  for (let i = start + 1; i < d; i++) {
    sum += term;
    term *= x / (i + 1);
  }
  return Math.exp(log - x + Math.log(sum));
}

/**
 * The smallest integer q for which P[max |Zᵢ| ≤ q] ≥ confidence is certain: all d coordinates of one draw at once. On the grid g
 * the mass of ‖Z‖∞ = r is ∫ 2d(2x)^(d−1)dx over r ± ½ times e^(−r/s), s = scale·2^g, so
 *   P[‖Z‖∞ > r] ≤ e^(1/s)·P[Gamma(d) > (r + ½)/s],   and 1/s ≤ 1/(64·d).
 * Source: Steinke & Ullman 2017, Thm 5; Hardt & Talwar 2010; C note 5: about d·linf/ε, no logarithm of d.
 * Direction: upper, by a factor of at most e^(1/32d) in the chance, and what doubles round.
 * Errors: parameter.invalid unless 0 < confidence < 1.
 * @example maxNormQuantile(maxNormNoiseFor({ dimension: 100, linf: 1n, epsilon: ratio(1n) }), 0.95) // => 117n
 */
export function maxNormQuantile(noise: MaxNormNoise, confidence: number): bigint {
  const { dimension, gridBits } = noise;
  // What the doubles of a sum of d logarithms, itself about d, can lose.
  const alpha = toDouble(exactAlpha(confidence), "down") * (1 - 1e-9 - dimension ** 2 * 1e-16);
  const scale = toDouble(parseRational(noise.scale), "up");
  const grid = 2 ** gridBits;
  const s = scale * grid;
  // Rounded to integers beyond q means at least q + ½ units on the grid.
  const beyond = (q: number): number => {
    const atLeast = Math.ceil((q + 0.5) * grid);
    return Math.exp(1 / s) * gammaTail(dimension, (atLeast - 0.5) / s);
  };
  const guess = scale * (dimension + 2 * Math.sqrt(dimension));
  return smallestCertified(guess, (q) => beyond(Number(q)) <= alpha);
}

/**
 * The smallest integer q for which P[max |Zᵢ| ≤ q] ≥ confidence holds for d independent draws of bounded noise, by its exact
 * weights; at most its reach, which holds for certain.
 * Source: Dagan & Kur 2022; C note 5. Direction: exact up to a relative 1e-12 of the chance, on the side of a larger q.
 * Errors: parameter.invalid unless 0 < confidence < 1 and d is an integer ≥ 1.
 */
export function boundedQuantile(noise: BoundedNoise, coordinates: number, confidence: number): bigint {
  const alpha = eachAlpha(coordinates, exactAlpha(confidence));
  const weights = boundedWeights(noise);
  const total = weights.reduce((a, b) => a + b, 0n);
  // From the ends inward: twice the weight beyond q, exactly.
  let beyond = 0n;
  let q = noise.reach;
  for (; q > 0; q -= 1) {
    beyond += 2n * elementAt(weights, noise.reach + q);
    if (beyond * alpha.den > alpha.num * total) return BigInt(q);
  }
  return 0n;
}

/**
 * The largest error over all d feature totals, in units of 1/cells, with this confidence: the noise's alone.
 * Source: C note 5, by the law of the plan's noise.
 * Direction: upper. Errors: parameter.invalid unless 0 < confidence < 1.
 */
export function featureTotalsRadius({ features, noise }: FeaturePlan, confidence: number): bigint {
  if (noise.mechanism === "max-norm@1") return maxNormQuantile(noise, confidence);
  if (noise.mechanism === "bounded@1") return boundedQuantile(noise, features, confidence);
  return simultaneousQuantile(noise, features, confidence);
}

/**
 * The same for the d means: |µ̂ⱼ − µⱼ| ≤ radius/(cells·units) + 1/(2·cells) for all j at once, rounded up. The last term is the rounding of
 * features to the grid; 0 for one cell and features that are 0 or 1.
 * Source: C Prop 1 in its all-coordinates form, C note 5. Direction: upper.
 * Errors: parameter.invalid unless units is an integer ≥ 1 and 0 < confidence < 1.
 */
export function featureMeansRadius(
  plan: FeaturePlan,
  units: number,
  confidence: number,
  features: "real" | "yes-or-no" = "real",
): number {
  if (!(Number.isSafeInteger(units) && units >= 1)) throw invalidParameter("units", units, "an integer ≥ 1");
  const noise = Number(featureTotalsRadius(plan, confidence)) / plan.cells / units;
  return (noise + (features === "real" ? 0.5 / plan.cells : 0)) * (1 + 2 ** -48);
}
