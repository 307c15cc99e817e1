import { type CountedPair, mergeGaussians, mergePairs } from "../../losses/pld/curves/index.ts";
import { discretize } from "../../losses/pld/law/discretize.ts";
import type { GridLaw, GridStep } from "../../losses/pld/law/grid-law.ts";
import { evenSpacing } from "../../losses/pld/law/spacing.ts";
import type { DominatingPair } from "../../losses/pld/pairs/index.ts";
import { addAt, doubleAt } from "../../numeric/elements/element-at.ts";
import type { GridProfile } from "./profile-odds.ts";

/** The pitches that all losses together are cut into: the error of a number falls as their square. */
const cells = 1000;
/** The pitch in deviations of one of many steps: the dots add at most pitch²/4 to the mean square of each. */
const ofDeviation = 0.12;
/** Compositions of more steps are left to the accountant, whose grids are tilted toward what is asked: it is slow for many bounded losses of several sizes alone. */
const mostSteps = { bounded: 4096n, unbounded: 64n } as const;
/** The most masses that a law may come to: more is left to the accountant too. */
const mostMasses = 12_000;
/** e^loss stays a double. */
export const mostLoss = 300;
/** Mass that may be counted as a larger loss, at either end of every law. */
const tail = 1e-13;
/** A bound of a pair's losses up to which it is not asked where its mass ends: that of noise on integers lies far beyond. */
const nearLoss = 4;
/** The same tail where all losses are bounded: μ follows from the rarest tests there. */
const rareTail = 1e-60;

/**
 * Upper bounds of the privacy profile of a composition of few pairs, cheaply: each pair's masses are moved to grid points so that the profile only rises
 * (Doroshenko et al. 2022, "connect the dots"), and the laws of losses are convolved term by term, so that all terms are positive. What is rounded on the way is
 * added. Null for many steps, or losses beyond 300.
 * By Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 10; ../../losses/pld/curves/pld.proof.md, "The upper end"
 */
export function coarseComposition(pairs: readonly CountedPair[]): GridProfile | null {
  const steps = mergeGaussians(mergePairs(pairs));
  const count = steps.reduce((sum, step) => sum + step.count, 0n);
  const pure = largestLoss(steps);
  if (count > mostSteps[pure === null ? "unbounded" : "bounded"]) return null;
  const counted = steps.map(({ pair, count: times }) => ({
    pair,
    times: Number(times),
    reach: reachOf(pair),
    square: squareOf(pair),
  }));
  const [all, squares] = [
    counted.reduce((sum, { reach, times }) => sum + reach * times, 0),
    counted.reduce((sum, { square, times }) => sum + square * times, 0),
  ];
  // Of many steps, nearly all mass lies within nine deviations.
  const span = Math.min(all, squares / 2 + 9 * Math.sqrt(squares));
  if (!(span <= mostLoss && counted.every(({ reach }) => reach <= mostLoss))) return null;
  const pitch = Math.min((2 * span) / cells, ofDeviation * Math.sqrt(squares / Number(count))) || 1;
  const widest = counted.reduce((most, { reach }) => Math.max(most, reach), span);
  if (!(widest / pitch <= mostMasses)) return null;
  const negligible = pure === null ? tail : rareTail;
  const onGrid = counted.map(({ pair, times, reach }) => ({ step: onGridOf(pair, pitch, reach), times }));
  const rounded = onGrid.reduce((sum, { step, times }) => sum + times * (step.massError + step.lossError), 0);
  const symmetric = counted.every(({ pair }) => pair.symmetric);
  const directions = symmetric ? [forwardOf] : [forwardOf, mirroredOf];
  // Sums of positive terms are off by a factor of at most their number of roundings.
  const withSlack = (law: Law): Float64Array =>
    profileOf(law, 2 * rounded + (Number(count) + 4) * (law.mass.length + 64) * 2 ** -51);
  const profiles = directions.map((of) => withSlack(composed(onGrid, of, pitch, negligible)));
  const delta = new Float64Array(Math.max(...profiles.map(({ length }) => length)));
  for (const profile of profiles)
    for (let k = 0; k < delta.length; k += 1)
      delta[k] = Math.max(doubleAt(delta, k), doubleAt(profile, Math.min(k, profile.length - 1)));
  return { pitch, delta, pure };
}

/** The largest loss of a composition; null where a loss may be infinite, or no bound is known. */
export function largestLoss(pairs: readonly CountedPair[]): number | null {
  if (pairs.some(({ pair }) => pair.infiniteP > 0 || pair.infiniteQ > 0)) return null;
  const sum = pairs.reduce(
    (total, { pair, count }) => total + Math.max(pair.maxLoss, pair.maxReverseLoss) * Number(count),
    0,
  );
  return Number.isFinite(sum) ? sum * (1 + 1e-12) : null;
}

const forwardOf = (step: GridStep): GridLaw => step.forward().upper();
const mirroredOf = (step: GridStep): GridLaw => step.mirrored().upper();

function onGridOf(pair: DominatingPair, pitch: number, reach: number): GridStep {
  return discretize(pair, {
    pitch,
    offset: 0,
    tail,
    reach: pitch,
    lowest: -reach,
    highest: reach,
    misfit: 0,
    spacing: evenSpacing,
  });
}

/** A loss that hardly any mass lies beyond; only the work depends on it. */
export function reachOf(pair: DominatingPair): number {
  const bound = Math.max(pair.maxLoss, pair.maxReverseLoss);
  if (bound <= nearLoss) return bound;
  const mu = pair.gaussian ?? pair.gaussianAtMost;
  if (mu !== undefined && mu !== null) return mu * (mu / 2 + 8);
  let farthest = 0;
  const cell = (loss: number): number => {
    farthest = Math.max(farthest, Math.abs(loss));
    return Math.floor(loss / 0.25);
  };
  pair.emit({ edge: (k) => k * 0.25, cell, atom: cell }, tail, (at, p, q) => {
    if (p > tail || q > tail) farthest = Math.max(farthest, Math.abs(at * 0.25) + 0.25);
  });
  return Math.min(bound, farthest);
}

/** About the mean square of the losses of a pair; only the work, and how close the bound is, depend on it. */
function squareOf(pair: DominatingPair): number {
  const mu = pair.gaussian ?? pair.gaussianAtMost;
  if (mu !== undefined && mu !== null) return mu * mu;
  // Cells that grow with the losses: most of a sample's are small.
  const edge = (k: number): number => Math.sinh(k / 8) / 64;
  const cell = (loss: number): number => Math.floor(8 * Math.asinh(64 * loss));
  let sum = 0;
  pair.emit({ edge, cell, atom: cell }, tail, (_, p, q) => {
    if (p > 0 && q > 0) sum += p * Math.log(p / q) ** 2;
  });
  return sum;
}

interface Steps {
  readonly step: GridStep;
  readonly times: number;
}

/** A law of losses first·pitch, (first + 1)·pitch, …, and a mass of infinite loss. */
interface Law {
  readonly pitch: number;
  readonly first: number;
  readonly mass: Float64Array;
  readonly infinite: number;
}

function composed(
  steps: readonly Steps[],
  of: (step: GridStep) => GridLaw,
  pitch: number,
  negligible: number,
): Law {
  let law: Law = { pitch, first: 0, mass: Float64Array.of(1), infinite: 0 };
  for (const { step, times } of steps) law = both(law, power(trimmed(of(step), negligible), times));
  return law;

  function both(a: Law, b: Law): Law {
    return trimmed(massesOf(a) < massesOf(b) ? convolved(b, a) : convolved(a, b), negligible);
  }

  /** A law composed with itself: by squares where it is long, and one by one where it has few masses. */
  function power(one: Law, times: number): Law {
    if (times === 1) return one;
    if (one.mass.length < 8) return both(power(one, times - 1), one);
    const half = power(one, Math.floor(times / 2));
    const even = both(half, half);
    return times % 2 === 0 ? even : both(even, one);
  }
}

/** The number of places that have mass: the work of a convolution, where it is of the law that has fewer. */
function massesOf({ mass }: Law): number {
  let count = 0;
  for (let k = 0; k < mass.length; k += 1) if (doubleAt(mass, k) > 0) count += 1;
  return count;
}

function convolved(a: Law, b: Law): Law {
  const mass = new Float64Array(a.mass.length + b.mass.length - 1);
  for (let i = 0; i < b.mass.length; i += 1) {
    const share = doubleAt(b.mass, i);
    if (share === 0) continue;
    for (let j = 0; j < a.mass.length; j += 1) addAt(mass, i + j, share * doubleAt(a.mass, j));
  }
  const infinite = a.infinite + b.infinite - a.infinite * b.infinite;
  return { pitch: a.pitch, first: a.first + b.first, mass, infinite };
}

/** Masses at the low end are moved up, those at the high end to infinity: the law only loses more. */
function trimmed({ pitch, first, mass, infinite }: Law, negligible: number): Law {
  let [from, low] = [0, 0];
  while (from < mass.length - 1 && low + doubleAt(mass, from) <= negligible) low += doubleAt(mass, from++);
  let [to, high] = [mass.length, 0];
  while (to > from + 1 && high + doubleAt(mass, to - 1) <= negligible) high += doubleAt(mass, --to);
  const kept = mass.slice(from, to);
  if (low > 0) addAt(kept, 0, low);
  return { pitch, first: first + from, mass: kept, infinite: infinite + high };
}

/**
 * δ at 0, pitch, … up to the largest loss. Each mass is off by a factor, and its loss by so little, that together they change its share of a δ by less than `slack` times the
 * mass: of those at or above the place, since no other comes to have a share, and of the infinite loss, whose mass is rounded as often.
 */
function profileOf({ pitch, first, mass, infinite }: Law, slack: number): Float64Array {
  const last = Math.max(0, first + mass.length - 1);
  const delta = new Float64Array(last + 1);
  const hidden = Math.exp(-pitch);
  let [above, gain] = [0, 0];
  for (let k = last; k >= 0; k -= 1) {
    const here = k - first;
    const beyond = above;
    if (here >= 0 && here < mass.length) above += doubleAt(mass, here);
    // Σ mass·(1 − e^(k·pitch − loss)) over the losses above, by terms that are all positive.
    if (k < last) gain = gain * hidden - beyond * Math.expm1(-pitch);
    delta[k] = Math.min(1, infinite + gain + slack * (infinite + above));
  }
  return delta;
}
