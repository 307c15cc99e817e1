import { toDouble } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { Output } from "../subject.ts";
import type { Claim } from "../verify/claim.ts";
import { type Feature, learnedFeatures, plainFeatures } from "./features.ts";
import { firstAbove } from "./first-above.ts";

/** A set of outputs. */
export interface OutputEvent {
  readonly describes: string;
  holds(output: Output): boolean;
}

const mostThresholds = 48;

/** Thresholds at which counts of either side change, about evenly spread over both. */
function thresholds(sorted: Float64Array): number[] {
  const distinct = [...new Set(sorted)];
  if (distinct.length <= mostThresholds) return distinct;
  const found = Array.from({ length: mostThresholds }, (_, i) =>
    elementAt(sorted, Math.floor(((i + 0.5) * sorted.length) / mostThresholds)),
  );
  // Tails are where a smaller claim breaks first.
  for (const far of [0.001, 0.003, 0.01]) {
    const [low, high] = [Math.floor(far * sorted.length), Math.ceil((1 - far) * sorted.length) - 1];
    found.push(elementAt(sorted, low), elementAt(sorted, high));
  }
  return [...new Set(found)];
}

/** How many of the rising list are ≥ t. */
function atLeast(sorted: Float64Array, t: number): number {
  return sorted.length - firstAbove(sorted, (value) => value >= t);
}

function valuesOf(feature: Feature, outputs: readonly Output[]): Float64Array {
  const values = new Float64Array(outputs.length);
  let found = 0;
  for (const output of outputs) {
    const value = feature.of(output);
    if (!Number.isNaN(value)) values[found++] = value;
  }
  return values.subarray(0, found).sort();
}

/**
 * About by how much certified bounds on so many fresh samples will exceed the claim, in ε: normal and Poisson bounds at `reach` standard
 * errors stand in for the exact ones.
 */
function margin(
  points: readonly (readonly [epsilon: number, delta: number])[],
  p: number,
  q: number,
  { fresh, reach }: { readonly fresh: number; readonly reach: number },
): number {
  const spread = (x: number): number => reach * Math.sqrt((x * (1 - x)) / fresh);
  const least = p - spread(p);
  const most = q + spread(q) + (reach * reach) / (2 * fresh);
  let best = Number.NEGATIVE_INFINITY;
  for (const [epsilon, delta] of points) {
    if (least > delta) best = Math.max(best, Math.log((least - delta) / most) - epsilon);
  }
  return best;
}

/**
 * The set of outputs that is likely to break P[S] ≤ e^ε·Q[S] + δ by most in ε, judged on these samples, over all points of the claim:
 * tails of plain features, and of features that one half of the samples teaches and the other half judges, since what was learned looks
 * best where it was learned. Chosen with hindsight, so only fresh samples may judge it.
 */
export function chooseEvent(
  claim: Claim,
  left: readonly Output[],
  right: readonly Output[],
  judged: { readonly fresh: number; readonly reach: number },
): OutputEvent {
  const points = claim.points.map(
    ({ epsilon, delta }) => [toDouble(epsilon, "up"), toDouble(delta, "up")] as const,
  );
  let best: Scored = {
    score: Number.NEGATIVE_INFINITY,
    event: { describes: "any output", holds: () => true },
  };
  const look = (feature: Feature, ps: readonly Output[], qs: readonly Output[]): void => {
    for (const each of tailsOf(feature, ps, qs, points, judged)) if (each.score > best.score) best = each;
  };
  for (const feature of plainFeatures) look(feature, left, right);
  const half = left.length >> 1;
  for (const feature of learnedFeatures(left.slice(0, half), right.slice(0, half))) {
    look(feature, left.slice(half), right.slice(half));
  }
  return best.event;
}

interface Scored {
  readonly score: number;
  readonly event: OutputEvent;
}

/** Both tails at every threshold worth a look. */
function* tailsOf(
  feature: Feature,
  left: readonly Output[],
  right: readonly Output[],
  points: readonly (readonly [epsilon: number, delta: number])[],
  judged: { readonly fresh: number; readonly reach: number },
): Generator<Scored> {
  const [ps, qs] = [valuesOf(feature, left), valuesOf(feature, right)];
  const [n, m] = [left.length, right.length];
  const both = new Float64Array(ps.length + qs.length);
  both.set(ps);
  both.set(qs, ps.length);
  for (const t of thresholds(both.sort())) {
    const [p, q] = [atLeast(ps, t), atLeast(qs, t)];
    yield {
      score: margin(points, p / n, q / m, judged),
      event: {
        describes: `${feature.describes} ≥ ${shown(t)}`,
        holds: (output) => feature.of(output) >= t,
      },
    };
    yield {
      score: margin(points, (ps.length - p) / n, (qs.length - q) / m, judged),
      event: {
        describes: `${feature.describes} < ${shown(t)}`,
        holds: (output) => feature.of(output) < t,
      },
    };
  }
}

const shown = (t: number): string => (Number.isInteger(t) ? t.toString() : t.toPrecision(4));
