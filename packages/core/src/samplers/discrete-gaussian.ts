import type { BitSource } from "../entropy/bit-source.ts";
import { floorSqrt } from "../numeric/fixed-point.ts";
import { divide, floor, multiply, type Rational, ratio, subtract, toDouble } from "../numeric/rational.ts";
import { belowExp } from "./bernoulli-exp.ts";
import { beyondDoubles, DiscreteLaplace } from "./discrete-laplace.ts";
import { checkFillable, checkPositive } from "./parameters.ts";
import type { Sampler } from "./sampler.ts";

/**
 * Z ∈ ℤ with P[Z = z] ∝ e^{−z²/(2σ²)}, exactly, for rational σ². Canonne, Kamath & Steinke 2020, Algorithm 3: a discrete
 * Laplace Y of scale t = ⌊σ⌋ + 1, kept with probability e^{−(|Y| − σ²/t)²/(2σ²)}. Proof: ./discrete-gaussian.proof.md
 * Errors: parameter.invalid unless σ² > 0.
 */
export function discreteGaussian(sigmaSquared: Rational): Sampler {
  checkPositive("sigmaSquared", sigmaSquared);
  return new DiscreteGaussian(sigmaSquared);
}

/** t = ⌊σ⌋ + 1. */
export function proposalScale(sigmaSquared: Rational): bigint {
  return floorSqrt(floor(sigmaSquared)) + 1n;
}

/** (|y| − σ²/t)²/(2σ²). */
export function rejectionExponent(magnitude: bigint, sigmaSquared: Rational): Rational {
  const gap = subtract(ratio(magnitude), divide(sigmaSquared, ratio(proposalScale(sigmaSquared))));
  return divide(multiply(gap, gap), multiply(ratio(2n), sigmaSquared));
}

class DiscreteGaussian implements Sampler {
  readonly #sigmaSquared: Rational;
  readonly #proposal: DiscreteLaplace;
  readonly #centre: number;
  readonly #sigma: number;

  constructor(sigmaSquared: Rational) {
    this.#sigmaSquared = sigmaSquared;
    const scale = ratio(proposalScale(sigmaSquared));
    this.#proposal = new DiscreteLaplace(scale);
    this.#centre = toDouble(divide(sigmaSquared, scale), "down");
    const square = toDouble(sigmaSquared, "down");
    this.#sigma = square > 1e-280 && square < 1e280 ? Math.sqrt(square) : Number.NaN;
  }

  /** |Z| below 2^53, or NaN for the proposal's `large`; the sign is the proposal's. */
  #next(bits: BitSource): number {
    for (;;) {
      const magnitude = this.#proposal.next(bits);
      // NaN for a large magnitude, which leaves the decision to integers.
      const deviation = (magnitude - this.#centre) / this.#sigma;
      const exact = (): Rational =>
        rejectionExponent(
          Number.isNaN(magnitude) ? this.#proposal.large : BigInt(magnitude),
          this.#sigmaSquared,
        );
      if (belowExp((deviation * deviation) / 2, exact, bits)) return magnitude;
    }
  }

  sample(bits: BitSource): bigint {
    const magnitude = this.#next(bits);
    const { negative } = this.#proposal;
    if (Number.isNaN(magnitude)) return negative ? -this.#proposal.large : this.#proposal.large;
    return BigInt(negative ? -magnitude : magnitude);
  }

  fill(out: Float64Array, bits: BitSource): void {
    checkFillable("sigmaSquared", this.#sigmaSquared, 1n << 92n);
    for (let i = 0; i < out.length; i++) {
      const magnitude = this.#next(bits);
      if (Number.isNaN(magnitude)) throw beyondDoubles();
      out[i] = this.#proposal.negative ? -magnitude : magnitude;
    }
  }
}
