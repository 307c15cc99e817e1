import { type Rational, ratio } from "@lethe/core";
import { expBracket, multiply } from "@lethe/core/numeric";
import { certain, complement, minus, nothing, over, plus, times, total } from "../../verify/enclosures.ts";
import { type Enclosure, exactly } from "../../verify/hockey-stick.ts";
import type { Masses } from "./law.ts";
import { laplaceAtLeast } from "./noise-laws.ts";

/* Laws of private choices from their definitions, by the index of the choice. */

const weightOf = (score: bigint, rate: Rational): Enclosure => expBracket(multiply(rate, ratio(score)), 240);
const best = (scores: readonly bigint[]): bigint => scores.reduce((a, b) => (a > b ? a : b));
const named = (masses: readonly Enclosure[]): Masses =>
  new Map(masses.map((mass, at) => [at.toString(), mass]));

/** P[i] ∝ e^(rate·scoreᵢ). McSherry & Talwar 2007. */
export function exponentialLaw(scores: readonly bigint[], rate: Rational): Masses {
  const weights = scores.map((score) => weightOf(score - best(scores), rate));
  const all = total(weights);
  return named(weights.map((weight) => over(weight, all)));
}

/** In a uniform order, each is taken with chance e^(rate·(scoreᵢ − best)) until one is. McKenna & Sheldon 2020. */
export function permuteAndFlipLaw(scores: readonly bigint[], rate: Rational): Masses {
  const candidates = scores.map((score) => ({
    chance: weightOf(score - best(scores), rate),
    sum: nothing,
  }));
  const follow = (left: typeof candidates, mass: Enclosure): void => {
    for (const each of left) {
      // Orders of those that come after do not matter: they are counted, not walked.
      const rest = factorial(left.length - 1);
      each.sum = plus(each.sum, times(times(mass, each.chance), exactly(ratio(rest))));
      const refused = complement(each.chance);
      if (refused.hi.num > 0n) {
        follow(
          left.filter((other) => other !== each),
          times(mass, refused),
        );
      }
    }
  };
  follow(candidates, certain);
  const all = exactly(ratio(factorial(scores.length)));
  return named(candidates.map(({ sum }) => over(sum, all)));
}

function factorial(n: number): bigint {
  return n <= 1 ? 1n : BigInt(n) * factorial(n - 1);
}

/** The least index of the largest of scores with discrete Laplace noise: Σ_z P[sᵢ + Z = z]·Π_{j<i} P[< z]·Π_{j>i} P[≤ z]. */
export function noisyMaxLaw(scores: readonly bigint[], scale: Rational, reach: bigint): Masses {
  const atLeast = (z: bigint, score: bigint): Enclosure => laplaceAtLeast(scale, z - score);
  const candidates = scores.map((score, place) => ({ score, place, sum: nothing }));
  const [from, to] = [best(scores) - reach, best(scores) + reach];
  for (let z = from; z <= to; z += 1n) {
    for (const each of candidates) {
      let mass = minus(atLeast(z, each.score), atLeast(z + 1n, each.score));
      for (const other of candidates) {
        const least = other.place < each.place ? z : z + 1n;
        if (other !== each) mass = times(mass, complement(atLeast(least, other.score)));
      }
      each.sum = plus(each.sum, mass);
    }
  }
  // The largest lies outside with at most the chance that any lies above, or that the best lies below.
  const outside = plus(
    total(scores.map((score) => atLeast(to + 1n, score))),
    complement(atLeast(from, best(scores))),
  );
  return named(candidates.map(({ sum }) => plus(sum, { lo: nothing.lo, hi: outside.hi })));
}
