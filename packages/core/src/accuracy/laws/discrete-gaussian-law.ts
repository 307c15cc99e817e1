import { sqrtBracket } from "../../numeric/bracket.ts";
import { doubleAt } from "../../numeric/elements/element-at.ts";
import { divide, multiply, type Rational, ratio, subtract, toDouble } from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/index.ts";
import { gaussianVariance } from "./gaussian-variance.ts";
import type { NoiseLaw } from "./noise-law.ts";
import { roundedNormalQuantile, roundedNormalRange } from "./rounded-gaussian-law.ts";

/** The largest σ for which the masses are added one by one; beyond it the sums are compared with integrals. */
const summedUpTo = 64;

/**
 * The discrete Gaussian, P[Z = z] ∝ e^(−z²/2σ²) for z ∈ ℤ, its tail and its certified quantile.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Def. 1.
 * Direction: upper, of the tail.
 */
export function discreteGaussianLaw(sigmaSquared: Rational): NoiseLaw {
  const exactSigma = sqrtBracket(sigmaSquared, 96).hi;
  const sigma = toDouble(exactSigma, "up");
  const coupling = sigma < 2 ? 1 : 0.5 + 1 / sigma;
  const density = (z: number): number => Math.exp((-0.5 * z * z) / sigma / sigma);
  if (sigma <= summedUpTo) {
    const tails = upperSums(density, Math.ceil(40 * sigma) + 2);
    const total = 2 * doubleAt(tails, 0) - 1;
    // Masses are positive and each is right to 1e-13: so are their sums.
    const beyond = (z: number): number => (2 * (tails[z + 1] ?? 0) * (1 + 1e-12)) / total;
    const mass = (z: number): number => density(z) / total;
    const quantile = (alpha: Rational): number => {
      const bound = toDouble(alpha, "down");
      let q = 0;
      while (beyond(q) > bound) q++;
      return q;
    };
    return {
      family: "gaussian",
      scale: sigma,
      coupling,
      variance: () => gaussianVariance(sigma, sigma * sigma, mass),
      mass,
      beyond,
      quantile: (alpha) => BigInt(quantile(alpha)),
      quantileRange: (alpha) => ({ least: quantile(alpha), most: quantile(alpha) }),
    };
  }
  // Σ e^(−z²/2σ²) ≥ σ√2π (Poisson summation). Where the density is convex, from σ on, each mass is at most its integral
  // over z ± ½ (Hermite–Hadamard), so P[|Z| > q] ≤ 2Φ(−(q+½)/σ); before σ the midpoint rule errs by ≤ 1/8σ² altogether.
  const excess = 1 / (8 * sigma * sigma);
  return {
    family: "gaussian",
    scale: sigma,
    coupling,
    variance: () => sigma * sigma,
    mass: (z) => density(z) / (sigma * Math.sqrt(2 * Math.PI)),
    beyond: (z) => 2 * ndtr(-(z + 0.5) / sigma) + (z + 0.5 < sigma ? excess : 0),
    quantile: (alpha) => {
      const q = roundedNormalQuantile(exactSigma, alpha);
      if (Number(q) + 0.5 >= sigma) return q;
      const margin = divide(ratio(1n), multiply(ratio(8n), sigmaSquared));
      return roundedNormalQuantile(exactSigma, subtract(alpha, margin));
    },
    quantileRange: (alpha) => {
      const bound = toDouble(alpha, "down");
      const { least, most } = roundedNormalRange(sigma, bound);
      return least + 0.5 >= sigma
        ? { least, most }
        : { least, most: roundedNormalRange(sigma, bound - excess).most };
    },
  };
}

/** sums[k] = Σ density(z) over k ≤ z ≤ last, added from the small end. */
function upperSums(density: (z: number) => number, last: number): Float64Array {
  const sums = new Float64Array(last + 2);
  for (let z = last; z >= 0; z--) sums[z] = doubleAt(sums, z + 1) + density(z);
  return sums;
}
