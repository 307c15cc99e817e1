import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { compare, divide, multiply, type Rational, ratio, toText, zero } from "../../numeric/rational.ts";
import { discreteLaplace, type Sampler, uniformBelow } from "../../samplers/index.ts";
import { positive } from "../parameters.ts";

/**
 * Noise on a whole integer vector: Z ∈ ℤᵈ on the grid 2^−gridBits with P[Z = z] ∝ exp(−‖z‖∞/scale), ‖z‖∞ and scale in units,
 * then rounded to integers. Its coordinates depend on each other.
 */
export interface MaxNormNoise {
  readonly mechanism: "max-norm@1";
  /** An exact text, in units. */
  readonly scale: string;
  readonly dimension: number;
  readonly gridBits: number;
}

const mostDimensions = 2 ** 20;

/** So fine that scale·2^gridBits ≥ 64·d: then nearly every proposal is accepted and the grid is no part of the error. */
function gridFor(scale: Rational, dimension: number): number {
  let bits = 0;
  while (compare(multiply(scale, ratio(1n << BigInt(bits))), ratio(64n * BigInt(dimension))) < 0) bits += 1;
  return bits;
}

/**
 * The max-norm noise that costs exactly ε for vectors whose every coordinate moves by at most linf between neighbours:
 * scale = linf/ε, for any number of coordinates. The largest of the d errors is about d·linf/ε, and each alone about half of it on
 * average, where Laplace noise has d·linf/ε on average and a factor ln d more at the largest.
 * Source: Hardt & Talwar 2010 (the K-norm mechanism, for the cube); Steinke & Ullman 2017, Thm 5; C note 5.
 * Direction: exact. Errors: parameter.invalid unless ε > 0, linf ≥ 1 and dimension is an integer from 1 to 2^20.
 * @example maxNormNoiseFor({ dimension: 10, linf: 1n, epsilon: ratio(1n) }).scale // => "1"
 */
export function maxNormNoiseFor(request: {
  readonly dimension: number;
  readonly linf: bigint;
  readonly epsilon: Rational;
}): MaxNormNoise {
  const { dimension, linf, epsilon } = request;
  checkDimension(dimension);
  if (!(linf >= 1n)) throw invalidParameter("linf", linf, "≥ 1");
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  const scale = divide(ratio(linf), epsilon);
  return { mechanism: "max-norm@1", scale: toText(scale), dimension, gridBits: gridFor(scale, dimension) };
}

/** The record of adding this noise once to vectors that move by at most linf in every coordinate. */
export function maxNormEvent(noise: MaxNormNoise, linf: bigint): Event {
  if (!(linf >= 0n)) throw invalidParameter("linf", linf, "≥ 0");
  if (linf === 0n) return { kind: "constant", version: 1 };
  const epsilon = divide(ratio(linf), positive(noise.scale, "scale"));
  return { kind: "pure", version: 1, epsilon: toText(epsilon), of: "max-norm-noise" };
}

/** The three kinds of exact coins that the sampler draws. */
export interface MaxNormCoins {
  /** G ≥ 0 with P[G = g] = (1 − a)·aᵍ. */
  geometric(): bigint;
  /** True with chance num/den ≤ 1. */
  chance(num: bigint, den: bigint): boolean;
  /** Uniform in [0, n). */
  below(n: bigint): bigint;
}

/**
 * One try for z ∈ ℤᵈ with P[z] ∝ a^‖z‖∞, exactly; null where it is to be tried again. M with P[M = m] ∝ (2m+1)ᵈ·aᵐ, then a uniform
 * point of the cube [−M, M]ᵈ: together P[z] ∝ Σ_{m ≥ ‖z‖∞} aᵐ. M is a sum of d + 1 geometric numbers, of mass ∝ (m+1)⋯(m+d)·aᵐ,
 * kept with chance Π (2m+1)/(2(m+i)).
 */
export function tryMaxNorm(dimension: number, coins: MaxNormCoins): readonly bigint[] | null {
  let reach = 0n;
  for (let i = 0; i <= dimension; i++) reach += coins.geometric();
  const side = 2n * reach + 1n;
  for (let i = 1n; i <= BigInt(dimension); i++) {
    if (!coins.chance(side, 2n * (reach + i))) return null;
  }
  return Array.from({ length: dimension }, () => coins.below(side) - reach);
}

/** Draws the noise of one release: d integers. Errors: parameter.invalid, when it is made. */
export function maxNormSampler(noise: MaxNormNoise): { sample(bits: BitSource): readonly bigint[] } {
  const { dimension, gridBits } = noise;
  checkDimension(dimension);
  if (!(Number.isSafeInteger(gridBits) && gridBits >= 0 && gridBits <= 4096)) {
    throw invalidParameter("gridBits", gridBits, "an integer from 0 to 4096");
  }
  const scale = multiply(positive(noise.scale, "scale"), ratio(1n << BigInt(gridBits)));
  const laplace = discreteLaplace(scale);
  const half = gridBits === 0 ? 0n : 1n << BigInt(gridBits - 1);
  return {
    sample(bits) {
      const coins = {
        geometric: () => geometric(laplace, bits),
        chance: (num: bigint, den: bigint) => uniformBelow(den, bits) < num,
        below: (n: bigint) => uniformBelow(n, bits),
      };
      for (;;) {
        const drawn = tryMaxNorm(dimension, coins);
        if (drawn !== null) return drawn.map((z) => (z + half) >> BigInt(gridBits));
      }
    },
  };
}

/** A discrete Laplace number given that it is not negative is geometric. */
function geometric(laplace: Sampler, bits: BitSource): bigint {
  for (;;) {
    const z = laplace.sample(bits);
    if (z >= 0n) return z;
  }
}

function checkDimension(dimension: number): void {
  if (!(Number.isSafeInteger(dimension) && dimension >= 1 && dimension <= mostDimensions)) {
    throw invalidParameter("dimension", dimension, `an integer from 1 to ${mostDimensions}`);
  }
}
