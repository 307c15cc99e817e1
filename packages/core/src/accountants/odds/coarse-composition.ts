import { type CountedPair, mergeGaussians, mergePairs } from "../../losses/pld/curves/index.ts";
import { discretize } from "../../losses/pld/law/discretize.ts";
import type { GridLaw, GridStep } from "../../losses/pld/law/grid-law.ts";
import { evenSpacing } from "../../losses/pld/law/spacing.ts";
import type { DominatingPair } from "../../losses/pld/pairs/index.ts";
import { addAt, doubleAt } from "../../numeric/elements/element-at.ts";
import type { GridProfile } from "./profile-odds.ts";

/** The pitches that all losses together are cut into: the error of a number falls as their square. */
const cells = 1000;
/** Compositions of more steps are left to the accountant, whose grids are tilted toward what is asked. */
const mostSteps = 64n;
/** e^loss stays a double. */
export const mostLoss = 300;
/** Mass that may be counted as a larger loss, at either end of every law. */
const tail = 1e-13;

/**
 * Upper bounds of the privacy profile of a composition of few pairs, cheaply: each pair's masses are moved to grid points so that the profile only rises
 * (Doroshenko et al. 2022, "connect the dots"), and the laws of losses are convolved term by term, so that all terms are positive. What is rounded on the way is
 * added. Null for many steps, or losses beyond 300.
 * By Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 10; ../../losses/pld/curves/pld.proof.md, "The upper end"
 */
export function coarseComposition(pairs: readonly CountedPair[]): GridProfile | null {
  const steps = mergeGaussians(mergePairs(pairs));
  const count = steps.reduce((sum, step) => sum + step.count, 0n);
  if (count > mostSteps) return null;
  const counted = steps.map(({ pair, count: times }) => ({
    pair,
    times: Number(times),
    reach: reachOf(pair),
  }));
  const [all, squares] = [
    counted.reduce((sum, { reach, times }) => sum + reach * times, 0),
    counted.reduce((sum, { reach, times }) => sum + reach * reach * times, 0),
  ];
  if (!(all <= mostLoss)) return null;
  // Of many steps, nearly all mass lies within nine deviations.
  const pitch = (2 * Math.min(all, 9 * Math.sqrt(squares))) / cells || 1;
  const onGrid = counted.map(({ pair, times, reach }) => ({ step: onGridOf(pair, pitch, reach), times }));
  const rounded = onGrid.reduce((sum, { step, times }) => sum + times * (step.massError + step.lossError), 0);
  const symmetric = counted.every(({ pair }) => pair.symmetric);
  const directions = symmetric ? [forwardOf] : [forwardOf, mirroredOf];
  // Sums of positive terms are off by a factor of at most their number of roundings.
  const withSlack = (law: Law): Float64Array =>
    profileOf(law, 2 * rounded + (Number(count) + 4) * (law.mass.length + 64) * 2 ** -51);
  const profiles = directions.map((of) => withSlack(composed(onGrid, of, pitch)));
  const delta = new Float64Array(Math.max(...profiles.map(({ length }) => length)));
  for (const profile of profiles)
    for (let k = 0; k < delta.length; k += 1)
      delta[k] = Math.max(doubleAt(delta, k), doubleAt(profile, Math.min(k, profile.length - 1)));
  return { pitch, delta, pure: largestLoss(steps) };
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
  if (Number.isFinite(bound)) return bound;
  const mu = pair.gaussian ?? pair.gaussianAtMost;
  if (mu !== undefined) return mu * (mu / 2 + 8);
  let farthest = 0;
  const cell = (loss: number): number => {
    farthest = Math.max(farthest, Math.abs(loss));
    return Math.floor(loss / 0.25);
  };
  pair.emit({ edge: (k) => k * 0.25, cell, atom: cell }, tail, (at, p, q) => {
    if (p > tail || q > tail) farthest = Math.max(farthest, Math.abs(at * 0.25) + 0.25);
  });
  return farthest;
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

function composed(steps: readonly Steps[], of: (step: GridStep) => GridLaw, pitch: number): Law {
  let law: Law = { pitch, first: 0, mass: Float64Array.of(1), infinite: 0 };
  for (const { step, times } of steps) {
    const one = trimmed(of(step));
    for (let time = 0; time < times; time += 1) law = trimmed(convolved(law, one));
  }
  return law;
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
function trimmed({ pitch, first, mass, infinite }: Law): Law {
  let [from, low] = [0, 0];
  while (from < mass.length - 1 && low + doubleAt(mass, from) <= tail) low += doubleAt(mass, from++);
  let [to, high] = [mass.length, 0];
  while (to > from + 1 && high + doubleAt(mass, to - 1) <= tail) high += doubleAt(mass, --to);
  const kept = mass.slice(from, to);
  if (low > 0) addAt(kept, 0, low);
  return { pitch, first: first + from, mass: kept, infinite: infinite + high };
}

/** δ at 0, pitch, … up to the largest loss, each with `slack` for what was rounded. */
function profileOf({ pitch, first, mass, infinite }: Law, slack: number): Float64Array {
  const last = Math.max(0, first + mass.length - 1);
  const delta = new Float64Array(last + 1);
  let [above, weighed] = [0, 0];
  for (let k = last; k >= 0; k -= 1) {
    delta[k] = Math.min(1, infinite + Math.max(0, above - Math.exp(k * pitch) * weighed) + slack);
    const here = k - first;
    if (here < 0 || here >= mass.length) continue;
    above += doubleAt(mass, here);
    weighed += doubleAt(mass, here) * Math.exp(-k * pitch);
  }
  return delta;
}
