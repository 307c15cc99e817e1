import { doubleAt } from "../../numeric/elements/element-at.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { falsePositives, type Odds } from "./odds.ts";

/** Upper bounds of δ(ε), of either direction, at ε = 0, pitch, 2·pitch, … */
export interface GridProfile {
  readonly pitch: number;
  readonly delta: Float64Array;
  /** An ε beyond which no loss lies; null where none is known. */
  readonly pure: number | null;
}

/**
 * Odds from a privacy profile on a grid. Each ε gives a line that the trade-off function is not below, 1 − δ(ε) − e^ε·α, and with both directions
 * in one δ the mirrored line too; the lines at the grid's points are sound, whatever lies between them.
 * By Dong, Roth & Su 2022, Prop. 2.12.
 */
export function profileOdds(profile: GridProfile): Odds {
  return {
    advantage: Math.min(1, doubleAt(profile.delta, 0)),
    mu: gaussianMuOf(profile),
    truePositives: truePositivesOf(profile),
  };
}

function truePositivesOf({ pitch, delta, pure }: GridProfile): number {
  let least = pure === null ? 1 : rightAt(pure, 0);
  for (let k = 0; k < delta.length; k += 1) least = Math.min(least, rightAt(k * pitch, doubleAt(delta, k)));
  return least;
}

/** The most true positives at {@link falsePositives}, by the two lines of one ε; rounded up. */
export function rightAt(epsilon: number, delta: number): number {
  const steep = delta + Math.exp(epsilon) * falsePositives;
  const flat = 1 - Math.exp(-epsilon) * (1 - delta - falsePositives);
  return Math.min(1, Math.min(steep, flat) * (1 + 1e-14) + 1e-15);
}

/** Points that are asked for μ: more would not lower it by a thousandth. */
const mostPoints = 400;

/** A point of a profile, with x = e^ε. */
interface Point {
  readonly x: number;
  readonly delta: number;
}

/**
 * The smallest μ for which the Gaussian trade-off function lies below the lines of the profile; null without a largest loss, for then the last line does not
 * reach f(0) = 1. The Gaussian's function is convex: between two places it lies below a line where it does at both of them.
 */
function gaussianMuOf({ pitch, delta, pure }: GridProfile): number | null {
  if (pure === null) return null;
  const every = Math.max(1, Math.ceil(delta.length / mostPoints));
  const points: Point[] = [];
  for (let k = 0; k < delta.length && k * pitch < pure; k += every)
    points.push({ x: Math.exp(k * pitch), delta: doubleAt(delta, k) });
  points.push({ x: Math.exp(pure) * (1 + 1e-13), delta: 0 });
  const corners = lowerHull(points);
  const places: Place[] = [];
  for (const [k, corner] of corners.entries()) {
    const next = corners[k + 1];
    if (next === undefined) break;
    // The lines of two corners cross at this α; there begins the one, and ends the other.
    const alpha = Math.min(0.5, (corner.delta - next.delta) / (next.x - corner.x));
    for (const line of [corner, next]) {
      const right = (line.delta + line.x * alpha) * (1 + 1e-14);
      if (right <= alpha) continue;
      if (!(alpha > 0 && right < 1)) return null;
      places.push({ alpha, right, about: roughQuantile(right) - roughQuantile(alpha) });
    }
  }
  const most = places.reduce((largest, { about }) => Math.max(largest, about), 0);
  const mu = places
    .filter(({ about }) => about >= most - 4 * roughly)
    .reduce((largest, { alpha, right }) => Math.max(largest, ndtri(right) - ndtri(alpha)), 0);
  return mu * (1 + 1e-12) + 1e-12;
}

/** A test that the profile allows, and about the μ at which a Gaussian allows it. */
interface Place {
  readonly alpha: number;
  readonly right: number;
  readonly about: number;
}

/** How far {@link roughQuantile} is off, at most. */
const roughly = 4.5e-4;

/** The normal quantile to three digits, at a hundredth of its cost: it only tells which places have to be asked. Source: Hastings 1955; Abramowitz & Stegun, 26.2.23. */
function roughQuantile(chance: number): number {
  if (chance > 0.5) return -roughQuantile(1 - chance);
  const t = Math.sqrt(-2 * Math.log(chance));
  const top = 2.515517 + t * (0.802853 + t * 0.010328);
  return top / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
}

/** The corners of the lower convex hull of points in the order of x: those whose lines are anywhere the highest. */
function lowerHull(points: readonly Point[]): readonly Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    for (;;) {
      const [last, before] = [hull.at(-1), hull.at(-2)];
      if (last === undefined) break;
      const below = before
        ? (last.delta - before.delta) * (point.x - last.x) < (point.delta - last.delta) * (last.x - before.x)
        : last.x < point.x;
      if (below) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}
