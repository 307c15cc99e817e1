import { doubleAt } from "../../numeric/elements/element-at.ts";
import { logBinomialMass } from "../../numeric/special/log-binomial.ts";
import { checkDelta, checkEpsilon } from "../search/checks.ts";
import { epsilonRange, type Range } from "../search/least-epsilon.ts";
import {
  catastrophe,
  checkRuns,
  joined,
  mostOptimalRuns,
  type Runs,
  randomizedResponsesDelta,
} from "./optimal-composition.ts";

/** More distinct sums than this are not listed. */
const mostAtoms = 1_000_000;

/** δ(ε) and ε(δ) of a composition, both ends of each. */
export interface ComposedProfile {
  delta(epsilon: number): Range;
  epsilon(delta: number): Range;
}

/**
 * The least δ at ε, and the least ε at δ, of the adaptive composition of mechanisms that are (εᵢ, δᵢ)-DP, over all such mechanisms:
 *   1 − Π(1−δᵢ)·(1 − Σ_{L > ε} P[L]·(1 − e^(ε−L))),  L = Σ ±εᵢ with signs of independent randomized responses.
 * Computing it is #P-hard in general (ibid., Thm 1.6); equal εᵢ are counted together, and null is returned where more than 10^6 sums
 * would have to be listed.
 * Source: Murtagh & Vadhan 2018 (arXiv 1507.03113), Thm 1.5.
 * Direction: exact
 * Errors: parameter.invalid outside the domains.
 * @example heterogeneousComposition([{ epsilon: 1, delta: 0.1, count: 1 }, { epsilon: 2, delta: 0.2, count: 1 }])?.delta(3).upper // => 0.28
 */
export function heterogeneousComposition(runs: readonly Runs[]): ComposedProfile | null {
  for (const each of runs) checkRuns(each);
  const groups = grouped(runs);
  const pure = groups.length <= 1 ? homogeneous(groups) : listed(groups);
  if (pure === null) return null;
  const some = catastrophe(runs);
  let ceiling = 0;
  for (const [epsilon, count] of groups) ceiling += epsilon * count;
  // Above every sum, whatever way it is rounded.
  ceiling *= 1 + 2 ** -49;
  const nothing = { lower: 0, upper: 0 };
  const delta = (epsilon: number): Range =>
    joined(some, checkEpsilon(epsilon) >= ceiling ? nothing : pure(epsilon));
  return { delta, epsilon: (target) => epsilonRange(delta, checkDelta(target), ceiling, true) };
}

function grouped(runs: readonly Runs[]): readonly (readonly [number, number])[] {
  const counts = new Map<number, number>();
  for (const { epsilon, count } of runs) {
    if (epsilon > 0) counts.set(epsilon, (counts.get(epsilon) ?? 0) + count);
  }
  return [...counts];
}

type PureDelta = (epsilon: number) => Range;

function homogeneous([only]: readonly (readonly [number, number])[]): PureDelta | null {
  const [epsilon, count] = only ?? [0, 1];
  return count <= mostOptimalRuns ? (at) => randomizedResponsesDelta(epsilon, count, at) : null;
}

/** All sums with their masses; null where they are too many. */
function listed(groups: readonly (readonly [number, number])[]): PureDelta | null {
  let atoms = 1;
  for (const [, count] of groups) atoms *= count + 1;
  if (!(atoms <= mostAtoms)) return null;
  let losses = new Float64Array([0]);
  let masses = new Float64Array([1]);
  let largest = 0;
  for (const [epsilon, count] of groups) {
    largest += epsilon * count;
    const odds = Math.exp(-epsilon);
    const [p, q] = [1 / (1 + odds), odds / (1 + odds)];
    const [nextLosses, nextMasses] = [
      new Float64Array(losses.length * (count + 1)),
      new Float64Array(losses.length * (count + 1)),
    ];
    for (let i = 0, at = 0; i <= count; i++) {
      const loss = (2 * i - count) * epsilon;
      const mass = Math.exp(logBinomialMass(count, i, p, q));
      for (let j = 0; j < losses.length; j++, at++) {
        nextLosses[at] = doubleAt(losses, j) + loss;
        nextMasses[at] = doubleAt(masses, j) * mass;
      }
    }
    [losses, masses] = [nextLosses, nextMasses];
  }
  // Absolute rounding of a sum: one product and one addition a group.
  const blur = 1.01 * groups.length * 2 ** -53 * largest;
  const margin = 1e-13 * groups.length + 1e-12;
  return (epsilon) => {
    let [total, mass, block] = [0, 0, 0];
    for (let i = 0; i < losses.length; i++) {
      if (i % 1024 === 0) [total, block] = [total + block, 0];
      const over = doubleAt(losses, i) - epsilon;
      if (over > -blur) {
        mass += doubleAt(masses, i);
        if (over > 0) block -= doubleAt(masses, i) * Math.expm1(-over);
      }
    }
    total += block;
    const slack = mass * blur;
    return {
      // The lower end also holds for the numbers of which the εᵢ are the doubles above.
      lower: Math.max(0, total * (1 - margin) - slack - mass * largest * 2 ** -52),
      upper: Math.min(1, total * (1 + margin) + slack + Number.MIN_VALUE),
    };
  };
}
