import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { type Bracket, expBracket, lnBracket } from "../numeric/bracket.ts";
import { quotientUp } from "../numeric/fixed-point.ts";
import {
  compare,
  divide,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../numeric/rational.ts";
import { LazyUniform } from "./lazy-uniform.ts";

/** Draws a number of runs. Immutable; make it once, draw often. */
export interface CountSampler {
  sample(bits: BitSource): number;
}

/** num/den, not in lowest terms. */
interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

/** A law on integers by its weights: those from `first` on, each from the one before; their sum as close as is asked. */
interface WeightedLaw {
  readonly first: number;
  readonly weight: Rational;
  /** weight(k + 1)/weight(k). */
  readonly growth: (k: bigint) => Fraction;
  readonly total: (bits: number) => Bracket;
}

const leastStop = ratio(1n, 1_000_000n);
const largestShape = ratio(1000n);
const largestMean = ratio(10_000n);

/**
 * How often to try: K ≥ 1 with P[K = k] ∝ (1 − stop)^k·Π_{l<k} (l + shape)/(l + 1), exactly. Shape 1 is the geometric law,
 * 0 (as a limit) the logarithmic. Papernot & Steinke 2022, Def. 1. Work grows with K alone.
 * Errors: parameter.invalid unless −1 < shape ≤ 1000 and 1e-6 ≤ stop < 1.
 */
export function truncatedNegativeBinomial({
  shape,
  stop,
}: {
  readonly shape: Rational;
  readonly stop: Rational;
}): CountSampler {
  if (!(compare(shape, ratio(-1n)) > 0 && compare(shape, largestShape) <= 0)) {
    throw invalidParameter("shape", toText(shape), "above −1 and at most 1000");
  }
  if (!(compare(stop, leastStop) >= 0 && compare(stop, one) < 0)) {
    throw invalidParameter("stop", toText(stop), "at least 1e-6 and below 1");
  }
  const go = subtract(one, stop);
  return byInversion({
    first: 1,
    // The factor of l = 0 is common to all weights and left out: then shape 0 is no exception.
    weight: go,
    growth: (k) => ({ num: go.num * (k * shape.den + shape.num), den: go.den * shape.den * (k + 1n) }),
    total: (precision) => totalWeight(shape, lnBracket(divide(one, stop), precision), precision),
  });
}

/** (stop^−shape − 1)/shape = (e^{shape·L} − 1)/shape, L = ln(1/stop); L itself for shape 0. Rises with L for every shape. */
function totalWeight(shape: Rational, log: Bracket, precision: number): Bracket {
  if (shape.num === 0n) return log;
  const at = (l: Rational): Bracket => expBracket(multiply(shape, l), precision);
  const end = (power: Rational): Rational => divide(subtract(power, one), shape);
  return shape.num > 0n
    ? { lo: end(at(log.lo).lo), hi: end(at(log.hi).hi) }
    : { lo: end(at(log.lo).hi), hi: end(at(log.hi).lo) };
}

/** K ≥ 0 with P[K = k] = e^−mean·mean^k/k!, exactly. Errors: parameter.invalid unless 0 < mean ≤ 10000. */
export function poisson({ mean }: { readonly mean: Rational }): CountSampler {
  if (!(compare(mean, zero) > 0 && compare(mean, largestMean) <= 0)) {
    throw invalidParameter("mean", toText(mean), "above 0 and at most 10000");
  }
  return byInversion({
    first: 0,
    weight: one,
    growth: (k) => ({ num: mean.num, den: mean.den * (k + 1n) }),
    total: (precision) => expBracket(mean, precision),
  });
}

const firstPrecision = 64;

/** The least k with U·total < Σ_{j ≤ k} weight(j), for a uniform U that is read only as far as needed. */
function byInversion(law: WeightedLaw): CountSampler {
  const atFirst = law.total(firstPrecision);
  return {
    sample(bits) {
      const uniform = new LazyUniform();
      for (let precision = firstPrecision; ; precision *= 2) {
        while (uniform.length * 2 < precision) uniform.refine(bits);
        const total = precision === firstPrecision ? atFirst : law.total(precision);
        const found = search(law, total, uniform, precision);
        if (found !== null) return found;
      }
    },
  };
}

/** null where U or the sums are not known well enough. Fixed point at `precision` bits, rounded outward. */
function search(law: WeightedLaw, total: Bracket, uniform: LazyUniform, precision: number): number | null {
  const [scale, shift] = [BigInt(precision), BigInt(uniform.length)];
  const least = ((uniform.prefix * total.lo.num) << scale) / total.lo.den;
  const most = quotientUp(((uniform.prefix + 1n) * total.hi.num) << scale, total.hi.den);
  let low = (law.weight.num << scale) / law.weight.den;
  let high = quotientUp(law.weight.num << scale, law.weight.den);
  let [below, above] = [low, high];
  for (let k = law.first; ; k++) {
    if (below << shift >= most) return k;
    if (above << shift > least) return null;
    const { num, den } = law.growth(BigInt(k));
    low = (low * num) / den;
    high = quotientUp(high * num, den);
    below += low;
    above += high;
  }
}
