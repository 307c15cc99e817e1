import { floorRho } from "../../conversions/search/loss-grid.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { compare, divide, multiply, type Rational, ratio, toText, zero } from "../../numeric/rational.ts";
import { type GaussianBudget, gaussianFor } from "../gaussian/gaussian-for.ts";
import { laplaceFor } from "../laplace/laplace-for.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";
import { noiseEvent, noiseSampler } from "../registry.ts";
import type { BoundedSum } from "./sum-vectors.ts";

/** A noisy integer vector, the noise that was drawn and the record that prices it. */
export interface NoisyVector {
  readonly values: readonly bigint[];
  readonly noise: Noise;
  readonly event: Event;
}

/** Adds the same noise, drawn afresh, to every coordinate. The one place where vectors meet noise. */
export function addNoiseToVector(
  total: readonly bigint[],
  { noise, sensitivity }: { readonly noise: Noise; readonly sensitivity: Sensitivity },
  bits: BitSource,
): NoisyVector {
  const event = noiseEvent(noise, sensitivity);
  const sampler = noiseSampler(noise);
  return { values: total.map((x) => x + sampler.sample(bits)), noise, event };
}

/**
 * Releases an integer vector with discrete Laplace noise that costs exactly ε at its declared ℓ1 sensitivity, for a vector
 * of any length, one coordinate included. Scale Δ₁/ε on every coordinate.
 * Source: Dwork, McSherry, Nissim & Smith 2006 (A Thm 2.1, B Claim 3.1); proof: ./vector-noise.proof.md.
 * Direction: exact. Errors: parameter.invalid unless ε > 0 and l1 ≥ 0.
 * @example addLaplace({ total: [10n, 20n], sensitivity: { l1: 2n, l2Squared: 2n } }, { epsilon: ratio(1n) }, bits).event
 * // => { kind: "laplace", version: 1, scale: "2", l1: "2" }
 */
export function addLaplace(
  { total, sensitivity }: BoundedSum,
  { epsilon }: { readonly epsilon: Rational },
  bits: BitSource,
): NoisyVector {
  return addNoiseToVector(total, { noise: laplaceFor({ l1: sensitivity.l1, epsilon }), sensitivity }, bits);
}

/** The kind of Gaussian on integers: the rounding of the continuous one (μ-Gaussian DP), or the discrete one (zCDP alone). */
export type GaussianKind = "rounded" | "discrete";

/**
 * Releases an integer vector with Gaussian noise on every coordinate, of least σ for the budget at its declared squared ℓ2
 * sensitivity. The rounded kind takes any budget; the discrete kind takes ρ, which is what it can prove.
 * Source: A Thm 2.7, C Prop 2; Balle & Wang 2018; Canonne, Kamath & Steinke 2020; proof: ./vector-noise.proof.md.
 * Direction: upper (σ is rounded up). Errors: parameter.invalid for a budget that is not positive, or not for this kind.
 * @example addGaussian({ total: [10n], sensitivity: { l1: 1n, l2Squared: 1n } }, { rho: ratio(1n, 2n) }, bits).noise
 * // => { mechanism: "rounded-gaussian@1", sigma: "1" }
 */
export function addGaussian(
  { total, sensitivity }: BoundedSum,
  budget: GaussianBudget,
  bits: BitSource,
  kind: GaussianKind = "rounded",
): NoisyVector {
  const { l2Squared } = sensitivity;
  const noise = {
    rounded: () => gaussianFor({ l2Squared, ...budget }),
    discrete: () => discrete(l2Squared, budget),
  }[kind];
  if (noise === undefined) throw invalidParameter("kind", kind, "rounded or discrete");
  return addNoiseToVector(total, { noise: noise(), sensitivity }, bits);
}

/** σ² = Δ₂²/(2ρ), exactly. */
function discrete(l2Squared: bigint, budget: GaussianBudget): Noise {
  if (!(l2Squared >= 0n)) throw invalidParameter("l2Squared", l2Squared, "≥ 0");
  if (!("rho" in budget)) {
    throw invalidParameter("budget", Object.keys(budget).join(", "), "ρ for a discrete Gaussian");
  }
  const rho = floorRho(budget.rho);
  if (!(compare(rho, zero) > 0)) throw invalidParameter("rho", toText(budget.rho), "at least 2^-60");
  if (l2Squared === 0n) return { mechanism: "constant@1" };
  return {
    mechanism: "discrete-gaussian@1",
    sigmaSquared: toText(divide(ratio(l2Squared), multiply(ratio(2n), rho))),
  };
}
