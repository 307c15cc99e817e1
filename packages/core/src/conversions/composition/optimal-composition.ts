import { invalidParameter } from "../../errors/lethe-error.ts";
import { logBinomialMass } from "../../numeric/special/log-binomial.ts";
import { checkCount, checkDelta, checkEpsilon } from "../search/checks.ts";
import { epsilonRange, type Range } from "../search/least-epsilon.ts";

/** `count` runs of (epsilon, delta)-DP mechanisms. */
export interface Runs {
  readonly epsilon: number;
  readonly delta: number;
  readonly count: number;
}

/** More runs than this would take too long to sum. */
export const mostOptimalRuns: number = 1e10;

/**
 * The least δ at ε of the adaptive composition of k mechanisms that are each (ε₀, δ₀)-DP, over all such mechanisms, both ends:
 *   1 − (1−δ₀)^k·(1 − Σ_{i: (2i−k)ε₀ > ε} C(k,i)·p^i(1−p)^(k−i)·(1 − e^(ε−(2i−k)ε₀))),   p = e^ε₀/(1 + e^ε₀).
 * Masses by their saddle-point form, no difference of large logarithms; k up to 10^10.
 * Source: Kairouz, Oh & Viswanath 2017 (arXiv 1311.0776), Thm 3.3.
 * Direction: exact
 * Errors: parameter.invalid outside the domains; k > 10^10.
 * @example optimalCompositionDelta({ epsilon: 0.1, delta: 0, count: 100 }, 4.77456758811).upper // => 1e-6
 */
export function optimalCompositionDelta(runs: Runs, epsilon: number): Range {
  checkRuns(runs);
  checkEpsilon(epsilon);
  return withCatastrophe(runs, randomizedResponsesDelta(runs.epsilon, runs.count, epsilon));
}

/**
 * The least ε at δ of the same composition, both ends; +∞ where δ < 1 − (1−δ₀)^k.
 * Source: Kairouz, Oh & Viswanath 2017 (arXiv 1311.0776), Thm 3.3.
 * Direction: exact
 * Errors: parameter.invalid outside the domains; k > 10^10.
 * @example optimalCompositionEpsilon({ epsilon: 0.1, delta: 0, count: 100 }, 1e-6).upper // => 4.77456758811
 */
export function optimalCompositionEpsilon(runs: Runs, delta: number): Range {
  checkRuns(runs);
  checkDelta(delta);
  const ceiling = runs.epsilon * runs.count * (1 + 2 ** -51);
  return epsilonRange((epsilon) => optimalCompositionDelta(runs, epsilon), delta, ceiling, true);
}

export function checkRuns({ epsilon, delta, count }: Runs): void {
  checkEpsilon(epsilon, "epsilon of a run");
  if (!(delta >= 0 && delta <= 1)) throw invalidParameter("delta of a run", delta, "in [0, 1]");
  checkCount(count);
  if (!(count <= mostOptimalRuns)) throw invalidParameter("count", count, "at most 1e10");
}

function withCatastrophe({ delta, count }: Runs, pure: Range): Range {
  if (delta === 0) return pure;
  const some = catastrophe([{ delta, count }]);
  return joined(some, pure);
}

/** 1 − Π(1−δᵢ)^nᵢ: the chance that some run fails outright. */
export function catastrophe(runs: readonly { readonly delta: number; readonly count: number }[]): Range {
  let log = 0;
  for (const { delta, count } of runs) log += count * Math.log1p(-delta);
  const value = -Math.expm1(log);
  if (value === 0) return { lower: 0, upper: 0 };
  // log1p and expm1 are good to an ulp, and the relative error of −expm1 is at most that of its argument.
  const margin = (runs.length / 2 + 3) * 2 ** -52;
  return { lower: value * (1 - margin), upper: Math.min(1, value * (1 + margin)) };
}

/** c + (1 − c)·d, at both ends. */
export function joined(some: Range, pure: Range): Range {
  const both = (c: number, d: number): number => c + (1 - c) * d;
  return {
    lower: pure.lower === 0 ? some.lower : both(some.lower, pure.lower) * (1 - 2 ** -51),
    upper: pure.upper === 0 ? some.upper : Math.min(1, both(some.upper, pure.upper) * (1 + 2 ** -51)),
  };
}

/** a·b − c to nearly full relative accuracy: the product is split exactly (Dekker). */
function productMinus(a: number, b: number, c: number): number {
  const product = a * b;
  const split = (x: number): [number, number] => {
    const scaled = 134217729 * x;
    const high = scaled - (scaled - x);
    return [high, x - high];
  };
  const [[ah, al], [bh, bl]] = [split(a), split(b)];
  return product - c + (al * bl - (product - ah * bh - al * bh - ah * bl));
}

/** Σ over losses L = (2i−k)ε₀ above ε of P[L]·(1 − e^(ε−L)): the δ of k randomized responses, both ends. */
export function randomizedResponsesDelta(each: number, k: number, epsilon: number): Range {
  if (each === 0) return { lower: 0, upper: 0 };
  // The least i with a loss above ε, by its exact sign.
  let first = Math.max(0, Math.min(k + 1, Math.floor((epsilon / each + k) / 2) - 1));
  while (first <= k && !(productMinus(2 * first - k, each, epsilon) > 0)) first++;
  if (first > k) return { lower: 0, upper: 0 };
  const above = productMinus(2 * first - k, each, epsilon);
  const odds = Math.exp(-each);
  const [p, q] = [1 / (1 + odds), odds / (1 + odds)];
  const start = Math.min(k, Math.max(first, Math.floor((k + 1) * p)));
  const gain = -Math.expm1(-2 * each);
  let [total, block, rest, chance] = [0, 0, 0, 0];
  for (const direction of [1, -1]) {
    let i = direction === 1 ? start : start - 1;
    let mass = 0;
    let weight = 0;
    for (let step = 0; i >= first && i <= k; step++, i += direction) {
      const anchored = step % 1024 === 0;
      if (anchored) {
        mass = Math.exp(logBinomialMass(k, i, p, q));
        [total, block] = [total + block, 0];
      }
      // 1 − e^(ε−L): upward by a sum of positive terms, downward afresh each time.
      if (anchored || direction === -1) weight = -Math.expm1(-(above + 2 * each * (i - first)));
      block += mass * weight;
      chance += mass;
      const ratio = direction === 1 ? (k - i) / (i + 1) / odds : (i / (k - i + 1)) * odds;
      weight += (1 - weight) * gain;
      mass *= ratio;
      // Masses fall faster and faster from the mode on: what is left out is at most a geometric series.
      if (ratio < 1 && mass <= (total + block) * 1e-18) {
        rest += mass / (1 - ratio);
        break;
      }
    }
  }
  total += block;
  // 1024 multiplications of 3 roundings each, as many additions, and the mass that they start from.
  const spread = Math.abs(start - k * p) / Math.max(1, k * q);
  const margin = 1e-12 + 4e-16 * Math.abs(spread) * k * q * 2 + 1e-15 * Math.abs(Math.log(total || 1));
  // The lower end also holds for the number of which ε₀ is the double above.
  const slack = chance * k * each * 2 ** -52;
  return {
    lower: Math.max(0, total * (1 - margin) - slack),
    upper: Math.min(1, total * (1 + margin) + rest + Number.MIN_VALUE),
  };
}
