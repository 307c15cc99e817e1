import type { BitSource } from "../entropy/bit-source.ts";
import { LetheError } from "../errors/lethe-error.ts";
import type { Rational } from "../numeric/rational.ts";
import { exponential } from "./decay.ts";
import { exponentialCells } from "./fixed-decays.ts";
import { checkFillable, checkPositive } from "./parameters.ts";
import type { Sampler } from "./sampler.ts";
import { ScaledDecay } from "./scaled-decay.ts";

/**
 * Z ∈ ℤ with P[Z = z] ∝ e^{−|z|/scale}, exactly. ⌊scale·E⌋ of an exact exponential E is geometric with ratio e^{−1/scale};
 * a fair sign makes it two-sided once the doubled zero is halved by drawing again. Proof: ./discrete-laplace.proof.md
 * Errors: parameter.invalid unless scale > 0.
 * @example discreteLaplace(ratio(10n)).sample(secureEntropy()) // => 3n, say
 */
export function discreteLaplace(scale: Rational): Sampler {
  checkPositive("scale", scale);
  return new DiscreteLaplace(scale);
}

/** The sampler itself, with the raw draw that {@link discreteGaussian} builds on. */
export class DiscreteLaplace implements Sampler {
  readonly #scale: Rational;
  readonly #geometric: ScaledDecay;

  constructor(scale: Rational) {
    this.#scale = scale;
    this.#geometric = new ScaledDecay(exponential, exponentialCells(), scale, "floor");
  }

  /** |Z|; its sign is {@link negative}. NaN when |Z| ≥ 2^53 stands in {@link large}. */
  next(bits: BitSource): number {
    for (;;) {
      const magnitude = this.#geometric.next(bits);
      if (magnitude !== 0 || !this.#geometric.negative) return magnitude;
    }
  }
  get negative(): boolean {
    return this.#geometric.negative;
  }
  get large(): bigint {
    return this.#geometric.large;
  }

  sample(bits: BitSource): bigint {
    const magnitude = this.next(bits);
    if (Number.isNaN(magnitude)) return this.negative ? -this.large : this.large;
    return BigInt(this.negative ? -magnitude : magnitude);
  }

  fill(out: Float64Array, bits: BitSource): void {
    checkFillable("scale", this.#scale, 1n << 46n);
    for (let i = 0; i < out.length; i++) {
      const magnitude = this.next(bits);
      if (Number.isNaN(magnitude)) throw beyondDoubles();
      out[i] = this.negative ? -magnitude : magnitude;
    }
  }
}

/** Noise of 2^53 or more where its chance is below e^−100. */
export function beyondDoubles(): LetheError {
  return new LetheError("internal.invariant", "a noise value did not fit a double", {
    fix: "check the source of randomness",
  });
}
