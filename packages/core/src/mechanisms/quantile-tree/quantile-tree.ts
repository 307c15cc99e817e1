import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { doubleAt, elementAt, lastElement } from "../../numeric/elements/element-at.ts";
import { divide, type Rational, ratio } from "../../numeric/rational.ts";
import { checkAlpha } from "../geometric/laplace-error-bound.ts";
import { clampTo, type PublicRange } from "../geometric/public-range.ts";
import { noiseSampler } from "../registry.ts";
import { consistentCounts } from "./consistent-counts.ts";
import { nonDecreasing } from "./non-decreasing.ts";
import { type RankNoise, rankErrorBound, rankNoise } from "./rank-noise.ts";
import { type QuantileTreeSetting, quantileTreeEvent, treeShape } from "./tree-shape.ts";

/** The released counts: noisy counts by level, the root first; the root is exact where the number of rows is known. */
export type QuantileTreeRelease = readonly (readonly bigint[])[];

/** A number with an interval, in rows. */
export interface RankInterval {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A number of the range with an interval, in grid units. */
export interface ValueInterval {
  readonly value: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
}

/** Everything that one release answers: post-processing, at no further price. */
export interface QuantileTree {
  /** The estimated number of rows, ≥ 0. */
  readonly rows: number;
  /** The estimated number of rows ≤ y: does not fall with y; spread evenly inside a leaf. */
  rank(y: bigint): number;
  /** The same with an interval that holds the true number with probability ≥ 1 − alpha. Errors: parameter.invalid. */
  rankInterval(y: bigint, alpha: Rational): RankInterval;
  /** An estimate of the ⌈q·n⌉-th smallest row; does not fall with q. Errors: parameter.invalid unless 0 ≤ q ≤ 1. */
  quantile(q: number): bigint;
  /**
   * The same with an interval; with probability ≥ 1 − alpha those of all q hold at once (where there are rows).
   * Errors: parameter.invalid.
   */
  quantileInterval(q: number, alpha: Rational): ValueInterval;
}

/**
 * Counts rows into a tree and adds one draw of the noise to every node: one release for any number of quantiles and ranks.
 * Source: Hay, Rastogi, Miklau & Suciu 2010; for quantiles, Google's quantile trees. Proof: ./quantile-tree.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid, of the setting alone.
 */
export function releaseQuantileTree(
  setting: QuantileTreeSetting,
  values: readonly bigint[],
  bits: BitSource,
): QuantileTreeRelease {
  const { leaves, leafWidth } = treeShape(setting);
  quantileTreeEvent(setting); // refuses noise that prices nothing
  const noise = noiseSampler(setting.noise);
  const { range, branching, height, knownRows } = setting;
  let below = Array<bigint>(leaves).fill(0n);
  for (const value of values) {
    const leaf = Number((clampTo(value, range) - range.lo) / leafWidth);
    below[leaf] = elementAt(below, leaf) + 1n;
  }
  const counts = [below];
  for (let level = 0; level < height; level += 1) {
    const children = below;
    below = Array.from({ length: children.length / branching }, (_, i) =>
      children.slice(i * branching, (i + 1) * branching).reduce((total, count) => total + count, 0n),
    );
    counts.unshift(below);
  }
  return counts.map((level, depth) =>
    depth === 0 && knownRows !== undefined ? [knownRows] : level.map((count) => count + noise.sample(bits)),
  );
}

/**
 * Reads a release. Errors: parameter.invalid for a release that is not of this setting.
 * @example readQuantileTree(setting, releaseQuantileTree(setting, wages, bits)).quantile(0.9)
 */
export function readQuantileTree(setting: QuantileTreeSetting, release: QuantileTreeRelease): QuantileTree {
  const { leaves, leafWidth } = treeShape(setting);
  const { range, branching, height, knownRows } = setting;
  const fits =
    release.length === height + 1 && release.every((level, depth) => level.length === branching ** depth);
  if (!fits) throw invalidParameter("release", "counts of another shape", "a release of this setting");
  const known = knownRows === undefined ? null : Number(knownRows);
  const leafCounts = lastElement(
    consistentCounts(
      release.map((level) => level.map(Number)),
      branching,
      known,
    ),
  );
  const prefix = new Float64Array(leaves + 1);
  for (let i = 0; i < leaves; i += 1) prefix[i + 1] = doubleAt(prefix, i) + doubleAt(leafCounts, i);
  if (known !== null) prefix[leaves] = known;
  const rows = Math.max(0, doubleAt(prefix, leaves));
  const monotone = nonDecreasing(prefix).map((rank) => Math.min(rows, Math.max(0, rank)));
  monotone[0] = 0;
  monotone[leaves] = rows;

  const shape = { branching, height, known: known !== null };
  const nodes = release.reduce((total, level) => total + level.length, 0);
  // What doubles may have lost in the estimates.
  const rounding = prefix.reduce((most, rank) => Math.max(most, Math.abs(rank)), 1) * 1e-9;
  const reachAt = (boundary: number, alpha: Rational): number =>
    rankErrorBound(setting.noise, rankNoise(shape, boundary), nodes, alpha) + rounding;

  /** The leaf of a number of the range, and the share of its numbers that are ≤ y. */
  const locate = (y: bigint): { readonly leaf: number; readonly share: number } => {
    const leaf = (y - range.lo) / leafWidth;
    const first = range.lo + leaf * leafWidth;
    const width = lastOf(Number(leaf)) - first + 1n;
    return { leaf: Number(leaf), share: Number(y - first + 1n) / Number(width) };
  };
  const lastOf = (leaf: number): bigint => {
    const last = range.lo + (BigInt(leaf) + 1n) * leafWidth - 1n;
    return last < range.hi ? last : range.hi;
  };
  let worst: RankNoise | null = null;

  /** The last boundary between leaves with only numbers ≤ y before it, and the first with all of them. */
  const boundariesAround = (y: bigint): readonly [number, number] => {
    if (y >= range.hi) return [leaves, leaves];
    const { leaf, share } = locate(y);
    return [share === 1 ? leaf + 1 : leaf, leaf + 1];
  };
  const rank = (y: bigint): number => {
    if (y < range.lo) return 0;
    if (y >= range.hi) return rows;
    const { leaf, share } = locate(y);
    return doubleAt(monotone, leaf) + share * (doubleAt(monotone, leaf + 1) - doubleAt(monotone, leaf));
  };
  const quantile = (q: number): bigint => {
    checkShare(q);
    const target = Math.max(q * rows, Math.min(1, rows)); // the first row at least
    const leaf = firstAtLeast(monotone, target);
    const [from, to] = [doubleAt(monotone, leaf), doubleAt(monotone, leaf + 1)];
    const share = to > from ? Math.min(1, Math.max(0, (target - from) / (to - from))) : 0;
    const first = range.lo + BigInt(leaf) * leafWidth;
    if (first > range.hi) return range.hi;
    const width = lastOf(leaf) - first + 1n;
    return clampTo(first + scaled(width, share), { lo: first, hi: lastOf(leaf) });
  };

  return {
    rows,
    rank,
    rankInterval(y, alpha) {
      checkAlpha(alpha);
      const value = rank(y);
      if (y < range.lo) return { value, lower: 0, upper: 0 };
      const [from, to] = boundariesAround(y);
      const cap = known ?? Number.POSITIVE_INFINITY;
      const lower = Math.min(cap, Math.max(0, doubleAt(prefix, from) - reachAt(from, alpha)));
      const upper = Math.min(cap, Math.max(lower, doubleAt(prefix, to) + reachAt(to, alpha)));
      return { value: Math.min(upper, Math.max(lower, value)), lower, upper };
    },
    quantile,
    quantileInterval(q, alpha) {
      checkAlpha(alpha);
      const value = quantile(q);
      // One reach for all boundaries, each at its share of alpha.
      worst ??= noisiest(shape);
      const reach =
        rounding + rankErrorBound(setting.noise, worst, nodes, divide(alpha, ratio(BigInt(leaves))));
      const total = { lower: Math.max(0, rows - reach), upper: rows + reach };
      if (known !== null) total.lower = total.upper = known;
      // The k-th row, k = max(1, ⌈q·n⌉), lies in a leaf with fewer than k rows before it, so fewer than max(1, q·n), and at least k up to its end.
      let [least, most] = [leaves - 1, 0];
      for (let leaf = 0; leaf < leaves; leaf += 1) {
        const after = leaf + 1 === leaves ? total.upper : doubleAt(prefix, leaf + 1) + reach;
        const before = leaf === 0 ? 0 : doubleAt(prefix, leaf) - reach;
        if (after >= Math.max(q * total.lower, 1)) least = Math.min(least, leaf);
        if (before < Math.max(q * total.upper, 1)) most = Math.max(most, leaf);
      }
      return spanned(value, { lo: range.lo + BigInt(least) * leafWidth, hi: lastOf(most) }, range);
    },
  };
}

/** More noise than the rank at any boundary has. */
function noisiest(shape: Parameters<typeof rankNoise>[0]): RankNoise {
  let [squares, largest] = [0, 0];
  for (let boundary = 1; boundary <= shape.branching ** shape.height; boundary += 1) {
    const noise = rankNoise(shape, boundary);
    squares = Math.max(squares, noise.squares);
    largest = Math.max(largest, noise.largest);
  }
  return { squares, largest };
}

function spanned(value: bigint, { lo, hi }: PublicRange, range: PublicRange): ValueInterval {
  const [lower, upper] = [lo < value ? lo : value, hi > value ? hi : value];
  return { value, lower: clampTo(lower, range), upper: clampTo(upper, range) };
}

function checkShare(q: number): void {
  if (!(q >= 0 && q <= 1)) throw invalidParameter("q", q, "from 0 to 1");
}

/** ⌊width·share⌋ for a share in [0, 1], at a 2^−50 grid. */
function scaled(width: bigint, share: number): bigint {
  return (width * BigInt(Math.floor(share * 2 ** 50))) >> 50n;
}

/** The first leaf whose end reaches the target. */
function firstAtLeast(ranks: Float64Array, target: number): number {
  let [low, high] = [0, ranks.length - 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (doubleAt(ranks, middle + 1) >= target) high = middle;
    else low = middle + 1;
  }
  return low;
}
