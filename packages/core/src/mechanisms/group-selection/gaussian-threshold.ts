import { rhoFromGaussian } from "../../conversions/gaussian-to-zcdp.ts";
import { ceilRho } from "../../conversions/search/loss-grid.ts";
import { mixed } from "../../losses/measures/mixed.ts";
import { zcdp } from "../../losses/measures/zcdp.ts";
import { normalTailBracket } from "../../numeric/bracket.ts";
import { ceilTo, divide, multiply, one, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/ndtr.ts";
import { roundedGaussian } from "../../samplers/index.ts";
import { integer, positive } from "../parameters.ts";
import type { SelectionMechanism } from "./selection-mechanism.ts";
import { tailBits } from "./tail-bits.ts";

/**
 * δ of keeping a group of one unit: P[1 + Z ≥ threshold] = Q((threshold − 3/2)/σ) for the rounded Gaussian Z that is
 * drawn; threshold ≥ 1. Rounded up at a relative 2^-56 or better.
 * Source: the tail of the noise that is drawn; thresholds after Gopi, Gulhane, Kulkarni, Shen, Shokouhi & Yekhanin 2020.
 * Direction: exact, rounded up.
 */
export function gaussianThresholdDelta(sigma: Rational, threshold: bigint): Rational {
  const x = divide(ratio(2n * threshold - 3n, 2n), sigma);
  const reach = Math.max(0, toDouble(x, "up"));
  const bits = tailBits(Math.LOG2E * ((reach * reach) / 2 + Math.log(1 + reach) + 1));
  return ceilTo(normalTailBracket(x, bits).hi, 1n << BigInt(bits));
}

/**
 * Keep when n + Z ≥ threshold, Z the rounding of N(0, σ²). A unit's m groups together: the Gaussian of μ = √m/σ
 * composed with (0, m·δ of a group of one). Proof: ./group-selection.proof.md
 */
export const gaussianThreshold: SelectionMechanism<"gaussian-threshold"> = {
  losses(rule, groups) {
    const sigma = positive(rule.sigma, "sigma");
    const delta = gaussianThresholdDelta(sigma, integer(rule.threshold, "threshold", 1n));
    const muSquared = divide(one, multiply(sigma, sigma));
    const rho = rhoFromGaussian(muSquared);
    const inZcdp = zcdp.power({ measure: "zcdp", rho, delta }, groups);
    return {
      pure: null,
      mixed: mixed.power({ ...mixed.zero, delta, muSquared }, groups),
      zcdp: { ...inZcdp, rho: ceilRho(inZcdp.rho) },
    };
  },
  keeper(rule) {
    const noise = roundedGaussian(positive(rule.sigma, "sigma"));
    const threshold = integer(rule.threshold, "threshold", 1n);
    return (n, bits) => n + noise.sample(bits) >= threshold;
  },
  probability(rule, n) {
    const gap = Number(integer(rule.threshold, "threshold", 1n) - n);
    return ndtr((0.5 - gap) / toDouble(positive(rule.sigma, "sigma"), "down"));
  },
  halfway: (rule) => integer(rule.threshold, "threshold", 1n),
};
