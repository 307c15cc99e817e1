import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { expBracket } from "../numeric/bracket.ts";
import { doubleAt, elementAt } from "../numeric/elements/element-at.ts";
import { bitLength } from "../numeric/fixed-point.ts";
import { multiply, negate, type Rational, ratio, toDouble, toText } from "../numeric/rational.ts";
import { expWeight, weightError, weightlessError } from "./exp-weights.ts";
import { LazyUniform } from "./lazy-uniform.ts";

/** Candidate i weighs multiplicities[i]·e^{−rate·gaps[i]}: gaps ≥ 0, at least one of them 0; multiplicities ≥ 1, or all 1. */
export interface ExpWeights {
  readonly rate: Rational;
  readonly gaps: readonly bigint[];
  readonly multiplicities?: readonly bigint[];
}

/** Draws indices with probability exactly proportional to the weights. Make it once, draw often. */
export interface ExpChoice {
  draw(bits: BitSource): number;
}

/**
 * The exact choice by inversion: a uniform U, known to as many bits as needed, lies between two partial sums of weights.
 * Doubles with a proven error decide unless U comes within about 2^−33 of a partial sum; brackets of rationals decide the
 * rest, ever narrower. O(m) to prepare and O(log m) a draw, whatever the gaps. Proof: ./choose-by-exp.proof.md
 * Errors: parameter.invalid for no candidates, a negative rate or gap, no gap of 0, a multiplicity below 1.
 */
export function chooseByExp(weights: ExpWeights): ExpChoice {
  check(weights);
  const { rate, gaps, multiplicities } = weights;
  const rateDouble = toDouble(rate, "down");
  const sums = new Float64Array(gaps.length);
  let total = 0;
  let lost = 0;
  for (const [i, gap] of gaps.entries()) {
    const times = multiplicities === undefined ? 1 : Number(elementAt(multiplicities, i));
    total += times * expWeight(gap, rate, rateDouble);
    lost += times * weightlessError;
    sums[i] = total;
  }
  // Every partial sum is off by less than this: each weight by 2^−35 of itself or what was left out, each addition by
  // 2^−53 of the total; a multiplicity rounded to a double by 2^−53.
  const margin = total * (2 * weightError + (gaps.length + 4) * 2 ** -52) + 2 * lost;
  const last = gaps.length - 1;
  const decides = margin < total && total < Number.MAX_VALUE / 2;
  return {
    draw(bits) {
      const uniform = new LazyUniform();
      for (let words = 1; decides && words <= 2; words++) {
        uniform.refine(bits);
        // U·total lies within slack of at: U's unread bits, the rounding here, and the error of the sums.
        const at = total * (Number(uniform.prefix) * 2 ** (-32 * words));
        const slack = margin + total * (2 ** (-32 * words) + 2 ** -51);
        const index = firstAbove(sums, at);
        const after = index === 0 || at - slack >= doubleAt(sums, index - 1);
        // The last sum is the total, which U·total is always below.
        if (after && (index === last || (index < last && at + slack <= doubleAt(sums, index)))) return index;
      }
      return decide(weights, uniform, bits);
    },
  };
}

/** The first index whose sum lies above x; sums rise. */
function firstAbove(sums: Float64Array, x: number): number {
  let [low, high] = [0, sums.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (doubleAt(sums, middle) > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The same choice in exact brackets, refining both the sums and the uniform until one index alone is possible. */
export function decide(weights: ExpWeights, uniform: LazyUniform, bits: BitSource): number {
  const { gaps, rate, multiplicities } = weights;
  const most = multiplicities?.reduce((a, b) => (a > b ? a : b)) ?? 1n;
  const spare = 64 + bitLength(BigInt(gaps.length)) + bitLength(most);
  for (let known = Math.max(32, uniform.length); ; known *= 2) {
    while (uniform.length < known) uniform.refine(bits);
    // Brackets of the partial sums in units of 2^−scale: their errors stay far below what is unknown of U.
    const scale = known + spare;
    const lows: bigint[] = [];
    const highs: bigint[] = [];
    let [low, high] = [0n, 0n];
    const seen = new Map<bigint, readonly [bigint, bigint]>();
    for (const [i, gap] of gaps.entries()) {
      let weight = seen.get(gap);
      if (weight === undefined) {
        weight = fixedWeight(multiply(rate, ratio(gap)), scale);
        seen.set(gap, weight);
      }
      const times = multiplicities?.[i] ?? 1n;
      low += times * weight[0];
      high += times * weight[1];
      lows.push(low);
      highs.push(high);
    }
    // Index i holds [S_{i−1}, S_i) of the total; U·total lies in [least, limit).
    const shift = BigInt(uniform.length);
    const [least, limit] = [uniform.prefix * low, (uniform.prefix + 1n) * high];
    const index = lows.findIndex((sum) => sum << shift >= limit);
    // The last sum is the total, which U·total is always below.
    const found = index < 0 ? gaps.length - 1 : index;
    if (found === 0 || elementAt(highs, found - 1) << shift <= least) return found;
  }
}

function fixedWeight(exponent: Rational, scale: number): readonly [bigint, bigint] {
  const unit = 1n << BigInt(scale);
  if (exponent.num === 0n) return [unit, unit];
  const { lo, hi } = expBracket(negate(exponent), scale);
  return [(lo.num * unit) / lo.den, -((-hi.num * unit) / hi.den)];
}

function check({ rate, gaps, multiplicities }: ExpWeights): void {
  if (!(rate.num >= 0n)) throw invalidParameter("rate", toText(rate), "≥ 0");
  if (gaps.length === 0) throw invalidParameter("candidates", "none", "at least one");
  if (!gaps.every((gap) => gap >= 0n) || !gaps.some((gap) => gap === 0n)) {
    throw invalidParameter("gaps", "others", "≥ 0, one of them 0");
  }
  if (multiplicities === undefined) return;
  if (!(multiplicities.length === gaps.length && multiplicities.every((times) => times >= 1n))) {
    throw invalidParameter("multiplicities", "others", "≥ 1, one a candidate");
  }
}
