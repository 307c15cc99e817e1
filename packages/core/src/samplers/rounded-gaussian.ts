import type { BitSource } from "../entropy/bit-source.ts";
import type { Rational } from "../numeric/rational.ts";
import { halfNormal } from "./decay.ts";
import { beyondDoubles } from "./discrete-laplace.ts";
import { halfNormalCells } from "./fixed-decays.ts";
import { checkFillable, checkPositive } from "./parameters.ts";
import type { Sampler } from "./sampler.ts";
import { ScaledDecay } from "./scaled-decay.ts";

/**
 * Z = the integer nearest to σ·N for a standard normal N, exactly: P[Z = z] = Φ((z+½)/σ) − Φ((z−½)/σ).
 * N is a lazily refined real and is rounded once, so Z is post-processing of continuous Gaussian noise.
 * Proof: ./rounded-gaussian.proof.md. Errors: parameter.invalid unless σ > 0.
 * @example roundedGaussian(ratio(10n)).sample(secureEntropy()) // => -7n, say
 */
export function roundedGaussian(sigma: Rational): Sampler {
  checkPositive("sigma", sigma);
  return new RoundedGaussian(sigma);
}

class RoundedGaussian implements Sampler {
  readonly #sigma: Rational;
  readonly #magnitude: ScaledDecay;

  constructor(sigma: Rational) {
    this.#sigma = sigma;
    this.#magnitude = new ScaledDecay(halfNormal, halfNormalCells(), sigma, "nearest");
  }

  sample(bits: BitSource): bigint {
    const source = this.#magnitude;
    const magnitude = source.next(bits);
    if (Number.isNaN(magnitude)) return source.negative ? -source.large : source.large;
    return BigInt(source.negative ? -magnitude : magnitude);
  }

  fill(out: Float64Array, bits: BitSource): void {
    checkFillable("sigma", this.#sigma, 1n << 48n);
    this.#magnitude.fill(out, bits, beyondDoubles);
  }
}
