import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import type { Sensitivity } from "../mechanism.ts";
import { floorSqrt } from "./integer-root.ts";

/** A set of integer vectors that every unit's contribution is moved into. Integers are grid indices. */
export type ClipSet =
  /** Σ |vᵢ| ≤ bound. */
  | { readonly norm: "l1"; readonly bound: bigint }
  /** Σ vᵢ² ≤ boundSquared. */
  | { readonly norm: "l2"; readonly boundSquared: bigint }
  /** lo ≤ vᵢ ≤ hi for every coordinate. */
  | { readonly norm: "box"; readonly lo: bigint; readonly hi: bigint };

const size = (x: bigint): bigint => (x < 0n ? -x : x);

/**
 * The vector itself where it lies in the set, else one in the set: scaled down with each coordinate cut toward 0 (ℓ1, ℓ2),
 * or each coordinate clamped (box). Integers only, so the bound holds exactly, after rounding.
 * Source: clipped sums (C, E); derived in ./vector-noise.proof.md
 * Direction: exact. Errors: parameter.invalid for an empty set.
 * @example clip([3n, -4n], { norm: "l2", boundSquared: 4n }) // => [1n, -1n]
 */
export function clip(vector: readonly bigint[], set: ClipSet): readonly bigint[] {
  checkSet(set);
  if (set.norm === "box") return vector.map((x) => (x < set.lo ? set.lo : x > set.hi ? set.hi : x));
  if (set.norm === "l1") {
    const norm = vector.reduce((total, x) => total + size(x), 0n);
    // Division of bigints cuts toward 0: Σ |vᵢ|·bound/norm = bound is an upper bound.
    return norm <= set.bound ? vector : vector.map((x) => (x * set.bound) / norm);
  }
  const square = vector.reduce((total, x) => total + x * x, 0n);
  if (square <= set.boundSquared) return vector;
  // r² ≤ x²·B²/‖v‖² for each coordinate, and those add up to B².
  return vector.map((x) => {
    const root = floorSqrt((x * x * set.boundSquared) / square);
    return x < 0n ? -root : root;
  });
}

/**
 * Returns the sensitivity of the sum of clipped vectors of `dimension` coordinates.
 *   add-or-remove-one: the longest vector of the set;  replace-one: the longest difference of two.
 * Source: definitions of ℓ1 and ℓ2 sensitivity (A, B Def 2.1); Cauchy–Schwarz between the two norms.
 * Direction: exact in the set's own norm, and in both for a box; upper (whole grid) in the other norm.
 * Errors: parameter.invalid for an empty set or a dimension below 1.
 * @example sensitivityOfClipped({ norm: "l2", boundSquared: 9n }, 4, "replace-one") // => { l1: 12n, l2Squared: 36n }
 */
export function sensitivityOfClipped(set: ClipSet, dimension: number, adjacency: Adjacency): Sensitivity {
  checkSet(set);
  if (!(Number.isSafeInteger(dimension) && dimension >= 1)) {
    throw invalidParameter("dimension", dimension, "an integer ≥ 1");
  }
  const d = BigInt(dimension);
  const factor = { "add-or-remove-one": 1n, "replace-one": 2n }[adjacency];
  if (factor === undefined) {
    throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  }
  if (set.norm === "box") {
    const [lowest, highest] = [size(set.lo), size(set.hi)];
    const reach = factor === 2n ? set.hi - set.lo : lowest > highest ? lowest : highest;
    return { l1: d * reach, l2Squared: d * reach * reach };
  }
  if (set.norm === "l1") {
    const reach = factor * set.bound;
    return { l1: reach, l2Squared: reach * reach };
  }
  const l2Squared = factor * factor * set.boundSquared;
  return { l1: floorSqrt(d * l2Squared), l2Squared };
}

function checkSet(set: ClipSet): void {
  if (set.norm === "l1") {
    if (!(set.bound >= 0n)) throw invalidParameter("bound", set.bound, "≥ 0");
  } else if (set.norm === "l2") {
    if (!(set.boundSquared >= 0n)) throw invalidParameter("boundSquared", set.boundSquared, "≥ 0");
  } else if (set.norm === "box") {
    if (!(set.lo <= set.hi)) throw invalidParameter("lo", set.lo, "at most hi");
  } else {
    throw invalidParameter("norm", (set as { norm: unknown }).norm, "l1, l2 or box");
  }
}
