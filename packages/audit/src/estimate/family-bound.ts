import { invalidParameter, toDouble } from "@lethe/core";
import { doubleAt, multiplyUp, ndtri, subtractDown, subtractUp } from "@lethe/core/numeric";
import type { Claim } from "../verify/claim.ts";
import type { Chance } from "./binomial-tail.ts";
import { clopperPearson } from "./clopper-pearson.ts";
import { firstAbove } from "./first-above.ts";
import { growthUp } from "./growth-up.ts";

/** Scores of independent runs, larger where the canary seems to have been in, and claims that fall as their parameter grows. */
export interface ScoredRuns {
  /** Of runs with the canary, and of runs without it. */
  readonly present: Float64Array;
  readonly absent: Float64Array;
  /** The claim of a member of the family, such as the same training with so much noise: more of it claims less. */
  readonly claimAt: (parameter: number) => Claim;
  /** Parameters between which the first refuted claim is looked for. */
  readonly range: readonly [least: number, most: number];
  readonly falseAlarm: number;
}

export interface FamilyBound {
  /** The least parameter whose claim is refuted, and so the dearest such claim; null where none of the range is. */
  readonly refuted: number | null;
  /** The chance that a score passes the threshold, in runs with the canary and without it. */
  readonly p: Chance;
  readonly q: Chance;
}

/** The range is cut to a thousandth of itself. */
const halvings = 10;

/** Thresholds that are tried on the first third of the runs. */
const tried = 60;

/**
 * The dearest member of a family of claims that scores refute: a threshold is chosen on a third of the runs, and judged on the others by exact Clopper–Pearson bounds
 * against the whole curve of every claim. Its ε at a small δ is a lower bound of what the training costs, where its own curve is one of the family's.
 * Source: Clopper & Pearson 1934; whole curves of a family: Nasr et al. 2023 (arXiv 2302.07956).
 * Direction: lower: a true claim is refuted with chance at most `falseAlarm`.
 * Errors: parameter.invalid for fewer than 30 runs a side.
 */
export function familyBound({ present, absent, claimAt, range, falseAlarm }: ScoredRuns): FamilyBound {
  if (!(present.length >= 30 && absent.length >= 30)) {
    throw invalidParameter("runs", Math.min(present.length, absent.length), "30 or more a side");
  }
  const alpha = falseAlarm / 2;
  const thirds = [present, absent].map((scores) => Math.floor(scores.length / 3)) as [number, number];
  const [choosing, judging] = [
    [present.slice(0, thirds[0]).sort(), absent.slice(0, thirds[1]).sort()],
    [present.slice(thirds[0]).sort(), absent.slice(thirds[1]).sort()],
  ] as const;
  const threshold = choose(choosing, alpha);
  const [p, q] = chances(judging, threshold, alpha);
  // A claim holds in both directions: of the event in runs with the canary, and of its complement in runs without it.
  const sides = [
    [p.lo, q.hi],
    [subtractDown(1, q.hi), subtractUp(1, p.lo)],
  ] as const;
  const isRefuted = (parameter: number): boolean =>
    claimAt(parameter).points.some(({ epsilon, delta }) =>
      sides.some(
        ([more, less]) => subtractDown(more, toDouble(delta, "up")) > multiplyUp(growthUp(epsilon), less),
      ),
    );
  let [low, high] = range;
  if (!isRefuted(high)) return { refuted: null, p, q };
  for (let i = 0; i < halvings; i += 1) {
    const middle = (low + high) / 2;
    if (isRefuted(middle)) high = middle;
    else low = middle;
  }
  return { refuted: high, p, q };
}

type Sorted = readonly [present: Float64Array, absent: Float64Array];

/** The chances of a score at or above the threshold, with confidence. */
function chances([present, absent]: Sorted, threshold: number, alpha: number): readonly [Chance, Chance] {
  const above = (scores: Float64Array): Chance =>
    clopperPearson(scores.length - firstAbove(scores, (x) => x >= threshold), scores.length, alpha);
  return [above(present), above(absent)];
}

/** The threshold whose bounds are farthest apart on the scale of a normal law. */
function choose(scores: Sorted, alpha: number): number {
  const [, absent] = scores;
  let [best, threshold] = [Number.NEGATIVE_INFINITY, doubleAt(absent, 0)];
  for (let i = 1; i < tried; i += 1) {
    const at = doubleAt(absent, Math.floor((absent.length * i) / tried));
    const [p, q] = chances(scores, at, alpha);
    const says = ndtri(Math.max(p.lo, 1e-300)) - ndtri(Math.min(q.hi, 1 - 1e-16));
    if (says > best) [best, threshold] = [says, at];
  }
  return threshold;
}
