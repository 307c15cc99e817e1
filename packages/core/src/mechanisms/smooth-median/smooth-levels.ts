import { invalidParameter } from "../../errors/lethe-error.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { floor, multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import type { OrderStatistic } from "./order-statistic.ts";

/** More levels are refused: choosing one takes the square of their number. */
export const mostLevels: number = 1 << 13;
const grid = 1n << 32n;

/** A public ladder 1 = v₀ < v₁ < …, each at most 1 + growth times the one before, the last at least `width`. Exact. */
export function smoothLevels(growth: Rational, width: bigint): readonly Rational[] {
  checkPositive("growth", growth);
  const levels: bigint[] = [grid];
  for (let last = grid; last < width * grid; ) {
    const step = floor(multiply(ratio(last), growth));
    if (!(step >= 1n && levels.length < mostLevels)) {
      throw invalidParameter(
        "growth",
        toText(growth),
        `large enough for ${mostLevels} levels; give more ε or δ`,
      );
    }
    last += step;
    levels.push(last);
  }
  return levels.map((level) => ratio(level, grid));
}

/**
 * The index j of the level that bounds the value's sensitivity smoothly: max over k of (first level ≥ the sensitivity at distance k) −
 * k, at least 0. It moves by at most one between neighbours, which is what smooth means here. Data: never release it.
 * Source: Nissim, Raskhodnikova & Smith 2007, Def. 2.2, rounded up to levels; ./smooth-median.proof.md.
 * Direction: exact.
 */
export function smoothLevel(levels: readonly Rational[], statistic: OrderStatistic): number {
  let index = 0;
  for (let k = 0; k < levels.length && k <= statistic.rows; k += 1) {
    index = Math.max(index, firstAtLeast(levels, statistic.sensitivityAt(k)) - k);
  }
  return index;
}

function firstAtLeast(levels: readonly Rational[], least: bigint): number {
  let [low, high] = [0, levels.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { num, den } = elementAt(levels, middle);
    if (num >= least * den) high = middle;
    else low = middle + 1;
  }
  return low;
}
