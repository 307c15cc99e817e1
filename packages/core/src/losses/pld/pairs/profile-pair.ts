import { invalidParameter } from "../../../errors/lethe-error.ts";
import { elementAt, lastElement } from "../../../numeric/elements/element-at.ts";
import { atomsOf, discretePair } from "./discrete-pair.ts";
import type { DominatingPair } from "./dominating-pair.ts";

export interface ProfileOptions {
  /** The number of values of ε ≥ 0 that are evaluated; the added loss is quadratic in their distance. Default 4000. */
  readonly points?: number;
}

/**
 * The pair of a privacy profile of which only an upper bound is known: deltaUpper(ε) ≥ δ(ε) for ε ≥ 0 and *both* directions. A
 * profile is convex in e^ε (Zhu, Dong & Wang 2022, Prop. 8), so it lies below the lower convex hull of any points above it; the
 * hull is the profile of a finite symmetric pair, which therefore dominates. Never tight. `id` must name the function.
 * Errors: parameter.invalid where deltaUpper is NaN or negative.
 * Source: Zhu, Dong & Wang 2022 (arXiv 2106.08567), Prop. 8
 * Direction: upper
 */
export function profilePair(
  deltaUpper: (epsilon: number) => number,
  id: string,
  options: ProfileOptions = {},
): DominatingPair {
  const { points = 4000 } = options;
  if (!(Number.isInteger(points) && points >= 2 && points <= 1 << 20)) {
    throw invalidParameter("points", points, "a whole number from 2 to 2^20");
  }
  // The inflation covers the rounding of the hull: its values are sums of positive terms, each to a few ulp of U.
  const at = (epsilon: number): number => {
    const delta = deltaUpper(epsilon);
    if (!(delta >= 0)) throw invalidParameter("deltaUpper", delta, "at least 0");
    return Math.min(1, delta * (1 + 1e-11));
  };
  return discretePair({
    id: `profile(${id},${points})`,
    tight: false,
    ...atomsOfHull(lowerHull(sampleProfile(at, points))),
    group: () => null,
  });
}

interface Vertex {
  readonly epsilon: number;
  /** e^ε. */
  readonly gamma: number;
  readonly delta: number;
}

/**
 * Three quarters of the points where the profile falls to a millionth of δ(0), the rest beyond, to where it has reached its floor; all
 * at multiples of one step, so that the pair's losses lie on a lattice.
 */
function sampleProfile(at: (epsilon: number) => number, points: number): Vertex[] {
  // An upper bound may grow again where it is no longer good.
  let floor = 1;
  for (let epsilon = 300; epsilon > 1e-3; epsilon /= 2) floor = Math.min(floor, at(epsilon));
  const top = firstWhere((epsilon) => at(epsilon) <= floor * (1 + 1e-9) + 1e-40);
  const middle = Math.min(
    top,
    firstWhere((epsilon) => at(epsilon) <= floor + 1e-6 * at(0)),
  );
  const near = Math.max(1, Math.floor(0.75 * points));
  const step = middle / near;
  const stride = Math.max(1, Math.ceil((top - middle) / step / Math.max(1, points - near)));
  const vertices: Vertex[] = [];
  for (let i = 0; i < near; i++) vertices.push(vertexAt(at, i * step));
  const far = Math.ceil((top - middle) / (step * stride));
  for (let i = 0; i <= far; i++) vertices.push(vertexAt(at, (near + i * stride) * step));
  return vertices;
}

function vertexAt(at: (epsilon: number) => number, epsilon: number): Vertex {
  return { epsilon, gamma: Math.exp(epsilon), delta: at(epsilon) };
}

/** Returns an ε near the first in (0, 300] with the property; any other would be as sound. */
function firstWhere(holds: (epsilon: number) => boolean): number {
  let high = 1e-6;
  while (high < 300 && !holds(high)) high = Math.min(300, 2 * high);
  let low = high / 2;
  for (let i = 0; i < 8; i++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function slope(a: Vertex, b: Vertex): number {
  return (b.delta - a.delta) / (a.gamma * Math.expm1(b.epsilon - a.epsilon));
}

function lowerHull(points: readonly Vertex[]): Vertex[] {
  const hull: Vertex[] = [];
  for (const point of points) {
    // A profile never grows.
    const last = hull.at(-1);
    const next = last && last.delta < point.delta ? { ...point, delta: last.delta } : point;
    for (;;) {
      const [before, end] = [hull.at(-2), hull.at(-1)];
      if (before === undefined || end === undefined || !(slope(before, end) >= slope(end, next))) break;
      hull.pop();
    }
    hull.push(next);
  }
  return hull;
}

/**
 * The second derivative of the hull in e^ε is the law of the loss under Q. Below ε = 0 the hull goes on by symmetry,
 * δ(−ε) = 1 − e^{−ε} + e^{−ε}·δ(ε); between −ε and ε its chord has the slope −(1 − δ(ε))/(1 + e^ε).
 */
function atomsOfHull(hull: Vertex[]): {
  atoms: { loss: Float64Array; p: Float64Array; q: Float64Array };
  infiniteP: number;
  infiniteQ: number;
} {
  const chord = (vertex: Vertex): number => -(1 - vertex.delta) / (1 + vertex.gamma);
  let first = 0;
  while (
    first + 1 < hull.length &&
    slope(elementAt(hull, first), elementAt(hull, first + 1)) < chord(elementAt(hull, first))
  )
    first++;
  const positive: { loss: number; p: number; q: number }[] = [];
  let center = 0;
  // Masses too small to be told apart from 0 by a pair are counted as infinite losses.
  let lost = 0;
  for (let i = first; i < hull.length; i++) {
    const vertex = elementAt(hull, i);
    const right = i + 1 < hull.length ? slope(vertex, elementAt(hull, i + 1)) : 0;
    const left = i === first ? chord(vertex) : slope(elementAt(hull, i - 1), vertex);
    const q = Math.max(0, right - left);
    // At ε = 0 both half-slopes meet: the chord is their mean.
    if (vertex.epsilon === 0) center = 2 * q;
    else if (q >= 1e-290) positive.push({ loss: vertex.epsilon, p: q * vertex.gamma, q });
    else lost += 2 * q * vertex.gamma;
  }
  const middle = center >= 1e-290 ? [{ loss: 0, p: center, q: center }] : [];
  const negative = positive.map(({ loss, p, q }) => ({ loss: -loss, p: q, q: p })).reverse();
  const all = [...negative, ...middle, ...positive];
  if (center < 1e-290) lost += center;
  const infinite =
    lost === 0
      ? lastElement(hull).delta
      : Math.min(1, lastElement(hull).delta + lost * (1 + 1e-9) + Number.MIN_VALUE);
  return {
    atoms: atomsOf(all),
    infiniteP: infinite,
    infiniteQ: infinite,
  };
}
