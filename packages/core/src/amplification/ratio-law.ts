import { addAt, doubleAt, lastElement } from "../numeric/elements/element-at.ts";

/**
 * The law under Q of the sum S = Σ exp(ℓᵢ) of the likelihood ratios of `slots` slots, on finitely many nodes. As a pair:
 * Q has mass q[i] at node i and P has q[i]·node[i]/slots, plus `infiniteP` where Q has none.
 */
export interface RatioLaw {
  readonly slots: number;
  /** Increasing, ≥ 0. */
  readonly nodes: Float64Array;
  readonly q: Float64Array;
  readonly infiniteP: number;
  /** Every mass has at most this relative error. */
  readonly error: number;
  /** Every ratio of P to Q has at most this relative error. */
  readonly ratioError: number;
}

/** Into which law a sum of two laws goes: "dominating" spreads every atom to two nodes, "dominated" merges atoms. */
export type RatioKind = "dominating" | "dominated";

const unit = 2 ** -53;

/**
 * The law of the slots of both, a of the first and b of the second: one slot is picked from all, so the sums add up.
 * A dominating law keeps Q's and P's mass of every atom while it moves it to the two nodes next to it, so what is observed of
 * the original can be simulated from the new one; a dominated law is what is seen when atoms between two nodes are
 * merged. Both survive further additions, slot by slot. Proof: ./random-allocation.proof.md
 * Source: Blackwell 1951 (mean-preserving spreads of ratios); by its own proof.
 * Direction: upper.
 */
export function addSlots(a: RatioLaw, b: RatioLaw, kind: RatioKind, size: number, tail: number): RatioLaw {
  const slots = a.slots + b.slots;
  const share = a.slots / slots;
  const infinite =
    (share * a.infiniteP + (1 - share) * b.infiniteP) * (1 + 8 * unit) + underflowOf(a, b, kind, sum) / slots;
  const law = place(a, b, kind, gridOf(a, b, size, tail, sum), sum);
  return {
    slots,
    ...law,
    infiniteP: infinite + (law.infiniteP / slots) * (1 + 1e-9),
    error: jointError(a, b),
    // The sums are exact; what is left is the rounding of the weights, a small part of a step between two nodes.
    ratioError: Math.max(a.ratioError, b.ratioError) + (kind === "dominating" ? unit / 4 : jointError(a, b)),
  };
}

interface Placed {
  readonly nodes: Float64Array;
  readonly q: Float64Array;
  readonly infiniteP: number;
}

/**
 * The law of seeing both, one after the other: the ratios multiply. Both laws are of one slot ({@link normalized}).
 * Source: composition of pairs, Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 10.
 * Direction: upper.
 */
export function composeRatios(
  a: RatioLaw,
  b: RatioLaw,
  kind: RatioKind,
  size: number,
  tail: number,
): RatioLaw {
  const grid = gridOf(a, b, size, tail, product);
  const law = place(a, b, kind, grid, product);
  return {
    slots: 1,
    ...law,
    infiniteP: (a.infiniteP + b.infiniteP + law.infiniteP) * (1 + 1e-9) + underflowOf(a, b, kind, product),
    error: jointError(a, b),
    ratioError: a.ratioError + b.ratioError + (kind === "dominating" ? 2 * unit : jointError(a, b)),
  };
}

/**
 * An upper bound of the P-mass of so many masses of Q that were too small for doubles, none at a ratio above `largest`. Far out a mass of Q that
 * doubles do not hold may be one of P that counts.
 */
export function underflow(count: number, largest: number): number {
  return largest * Number.MIN_VALUE * count;
}

function underflowOf(a: RatioLaw, b: RatioLaw, kind: RatioKind, joint: Joint): number {
  if (kind === "dominated") return 0;
  return underflow(8 * a.nodes.length * b.nodes.length, joint(lastElement(a.nodes), lastElement(b.nodes)));
}

/** The same law with R = S/slots on its nodes. */
export function normalized(law: RatioLaw): RatioLaw {
  return {
    ...law,
    slots: 1,
    nodes: law.nodes.map((s) => s / law.slots),
    ratioError: law.ratioError + unit,
  };
}

function jointError(a: RatioLaw, b: RatioLaw): number {
  const terms = (a.nodes.length + b.nodes.length) * 4 + 64;
  return (1 + a.error) * (1 + b.error) * (1 + terms * unit) - 1 + 4 * unit;
}

type Joint = (x: number, y: number) => number;
const sum: Joint = (x, y) => x + y;
const product: Joint = (x, y) => x * y;

function place(a: RatioLaw, b: RatioLaw, kind: RatioKind, grid: Float64Array, joint: Joint): Placed {
  if (kind === "dominated") return merged(a, b, grid, joint);
  return joint === sum ? spreadSums(a, b, grid) : spreadProducts(a, b, grid);
}

/** Every pair of atoms once; with one law twice, only those with j ≤ i, at double weight off the diagonal. */
function spreadSums(a: RatioLaw, b: RatioLaw, grid: Float64Array): Placed {
  const same = a === b;
  const last = grid.length - 1;
  const top = doubleAt(grid, last);
  const q = new Float64Array(grid.length);
  const inverse = inverseSteps(grid);
  let beyond = 0;
  for (let i = 0; i < a.nodes.length; i += 1) {
    const x = doubleAt(a.nodes, i);
    const mass = same ? 2 * doubleAt(a.q, i) : doubleAt(a.q, i);
    if (!(mass > 0)) continue;
    const count = same ? i + 1 : b.nodes.length;
    let k = 0;
    for (let j = 0; j < count; j += 1) {
      const y = b.nodes[j]!;
      const weight = (same && j === i ? 0.5 : 1) * mass * b.q[j]!;
      const s = x + y;
      // What the sum rounded away, exactly.
      const error = x >= y ? y - (s - x) : x - (s - y);
      if (s >= top) {
        q[last]! += weight;
        beyond += weight * (s - top + error);
        continue;
      }
      while (grid[k + 1]! <= s) k += 1;
      const upper = weight * ((s - grid[k]! + error) * inverse[k]!);
      q[k + 1]! += upper;
      q[k]! += weight - upper;
    }
  }
  return { nodes: grid, q, infiniteP: Math.max(0, beyond) };
}

function spreadProducts(a: RatioLaw, b: RatioLaw, grid: Float64Array): Placed {
  const same = a === b;
  const last = grid.length - 1;
  const [first, second, top] = [doubleAt(grid, 0), doubleAt(grid, 1), doubleAt(grid, last)];
  const q = new Float64Array(grid.length);
  const inverse = inverseSteps(grid);
  let beyond = 0;
  for (let i = 0; i < a.nodes.length; i += 1) {
    const x = doubleAt(a.nodes, i);
    const mass = same ? 2 * doubleAt(a.q, i) : doubleAt(a.q, i);
    if (!(mass > 0)) continue;
    const count = same ? i + 1 : b.nodes.length;
    let k = 0;
    let here = first;
    let next = second;
    for (let j = 0; j < count; j += 1) {
      const weight = (same && j === i ? 0.5 : 1) * mass * doubleAt(b.q, j);
      const s = x * doubleAt(b.nodes, j);
      if (s >= top) {
        addAt(q, last, weight);
        beyond += weight * (s - top);
        continue;
      }
      while (next <= s) {
        k += 1;
        here = next;
        next = doubleAt(grid, k + 1);
      }
      const upper = weight * ((s - here) * doubleAt(inverse, k));
      addAt(q, k + 1, upper);
      addAt(q, k, weight - upper);
    }
  }
  return { nodes: grid, q, infiniteP: beyond };
}

function inverseSteps(grid: Float64Array): Float64Array {
  const inverse = new Float64Array(grid.length);
  for (let k = 0; k + 1 < grid.length; k += 1) inverse[k] = 1 / (doubleAt(grid, k + 1) - doubleAt(grid, k));
  return inverse;
}

function merged(a: RatioLaw, b: RatioLaw, grid: Float64Array, joint: Joint): Placed {
  const same = a === b;
  const last = grid.length - 1;
  const second = doubleAt(grid, 1);
  const q = new Float64Array(grid.length);
  const p = new Float64Array(grid.length);
  for (let i = 0; i < a.nodes.length; i += 1) {
    const x = doubleAt(a.nodes, i);
    const mass = same ? 2 * doubleAt(a.q, i) : doubleAt(a.q, i);
    if (!(mass > 0)) continue;
    const count = same ? i + 1 : b.nodes.length;
    let k = 0;
    let next = second;
    for (let j = 0; j < count; j += 1) {
      const weight = (same && j === i ? 0.5 : 1) * mass * doubleAt(b.q, j);
      const s = joint(x, doubleAt(b.nodes, j));
      while (next <= s) {
        k += 1;
        next = k < last ? doubleAt(grid, k + 1) : Number.POSITIVE_INFINITY;
      }
      addAt(q, k, weight);
      addAt(p, k, weight * s);
    }
  }
  const kept: number[] = [];
  for (let k = 0; k <= last; k += 1) if (doubleAt(q, k) > 0) kept.push(k);
  return {
    nodes: Float64Array.from(kept, (k) => doubleAt(p, k) / doubleAt(q, k)),
    q: Float64Array.from(kept, (k) => doubleAt(q, k)),
    infiniteP: 0,
  };
}

/** 0 and `size` nodes, evenly spaced in the logarithm, between the tails of the joint law that hold about `tail`. */
function gridOf(a: RatioLaw, b: RatioLaw, size: number, tail: number, joint: Joint): Float64Array {
  const [x, y] = [coarse(a), coarse(b)];
  let range: readonly [number, number] = [
    Math.log(
      Math.max(
        joint(doubleAt(x.s, 0), doubleAt(y.s, 0)),
        joint(lastElement(x.s), lastElement(y.s)) * 2 ** -1000,
      ),
    ),
    Math.log(joint(lastElement(x.s), lastElement(y.s))),
  ];
  for (let pass = 0; pass < 3; pass += 1) range = narrowedRange(x, y, range, tail, joint);
  const grid = new Float64Array(size + 1);
  const from = range[0];
  // Nodes must stay apart in doubles.
  const width = Math.max(range[1] - from, 1e-8);
  for (let i = 0; i < size; i += 1) grid[i + 1] = Math.exp(from + (width * i) / (size - 1));
  return grid;
}

interface Coarse {
  readonly s: Float64Array;
  readonly q: Float64Array;
}

/** About 200 atoms, neighbours merged at their upper node; only guides the choice of a grid. */
function coarse(law: RatioLaw): Coarse {
  const step = Math.max(1, Math.ceil(law.nodes.length / 200));
  const s: number[] = [];
  const q: number[] = [];
  for (let i = 0; i < law.nodes.length; i += step) {
    let total = 0;
    const end = Math.min(law.nodes.length, i + step);
    for (let j = i; j < end; j += 1) total += doubleAt(law.q, j);
    s.push(doubleAt(law.nodes, end - 1));
    q.push(total);
  }
  return { s: Float64Array.from(s), q: Float64Array.from(q) };
}

const bins = 512;

function narrowedRange(
  a: Coarse,
  b: Coarse,
  [from, to]: readonly [number, number],
  tail: number,
  joint: Joint,
): readonly [number, number] {
  const width = (to - from) / bins;
  if (!(width > 1e-12)) return [from, to];
  const q = new Float64Array(bins + 1);
  const p = new Float64Array(bins + 1);
  for (let i = 0; i < a.s.length; i += 1) {
    for (let j = 0; j < b.s.length; j += 1) {
      const s = joint(doubleAt(a.s, i), doubleAt(b.s, j));
      const bin = Math.min(bins, Math.max(0, Math.floor((Math.log(s) - from) / width)));
      const weight = doubleAt(a.q, i) * doubleAt(b.q, j);
      addAt(q, bin, weight);
      addAt(p, bin, weight * s);
    }
  }
  const total = p.reduce((x, y) => x + y, 0);
  let low = 0;
  for (let held = doubleAt(q, 0); low < bins && held < tail; held += doubleAt(q, low)) low += 1;
  let high = bins;
  for (let held = doubleAt(p, bins); high > low && held < tail * total; held += doubleAt(p, high)) high -= 1;
  return [from + width * Math.max(0, low - 1), from + width * Math.min(bins, high + 2)];
}
