import { invalidParameter } from "@lethe/core/errors";
import { elementAt } from "@lethe/core/numeric";
import { gridBits } from "./clipped-gradients.ts";

/** The largest ‖v‖² of a unit: (2^20)². */
export const mostSquared: number = 2 ** (2 * gridBits);

/** What is kept back of every scale, so that no rounding on the way to an integer enlarges anything: five roundings of 2^-24 are less. */
const kept = 1 - 2 ** -21;

/** The share of the allowed Σ v² below which a certificate in double precision proves it: ./clipped-sum.proof.md. */
const certified = 1 - 2 ** -22;

/** The clip of every group, as a share of the whole: Σ share² ≤ 1. */
export type ClipShares = readonly number[];

/** Flat clipping: one group. */
export const flat: ClipShares = [1];

/**
 * Per-layer clipping (McMahan et al. 2018, Sec. 3.2): layer l is clipped to C_l = C·w_l/√(Σw²), so that Σ C_l² = C². Rounded down.
 * Errors: parameter.invalid for no weights, or a weight that is not a number above 0.
 * @example perLayer([3, 4]) // => 0.6 and 0.8, less than 1e-11 below
 */
export function perLayer(weights: readonly number[]): ClipShares {
  if (weights.length === 0) throw invalidParameter("clip weights", "none", "one number > 0 a layer");
  for (const weight of weights) {
    if (!(weight >= 2 ** -32 && weight <= 2 ** 32))
      throw invalidParameter("clip weight", weight, "a number between 2^-32 and 2^32");
  }
  const norm = Math.hypot(...weights);
  return weights.map((weight) => (weight / norm) * (1 - 2 ** -40));
}

/** Checks a clip. Errors: parameter.invalid unless 2^-64 ≤ C ≤ 2^64: there 2^20/C and its products are normal float32. */
export function checkClip(clip: number): number {
  if (clip >= 2 ** -64 && clip <= 2 ** 64) return clip;
  throw invalidParameter("clip", clip, "a number between 2^-64 and 2^64");
}

/** How one unit's gradient is brought to the grid. */
export interface UnitScale {
  /** The factor of every group in float32, or null where the unit counts 0. */
  readonly scales: Float32Array | null;
  /** Whether every group's norm was at most its clip. */
  readonly unclipped: boolean;
}

/**
 * The factor of every group: min(1, C·share/‖g‖)·2^20/C, a little less, in float32. A norm that is not finite makes the unit count 0.
 * @param squaredNorms Σ g² of every group, in double precision
 */
export function unitScale(squaredNorms: Float64Array, clip: number, shares: ClipShares): UnitScale {
  const scales = new Float32Array(shares.length);
  let finite = true;
  let unclipped = true;
  for (let group = 0; group < shares.length; group += 1) {
    const norm = Math.sqrt(squaredNorms[group] ?? Number.NaN);
    const limit = clip * elementAt(shares, group);
    finite &&= norm < Number.POSITIVE_INFINITY;
    unclipped &&= norm <= limit;
    scales[group] = (2 ** gridBits / clip) * Math.min(1, limit / norm) * kept;
  }
  return { scales: finite ? scales : null, unclipped };
}

/** The most that Σ v² of a group may be. */
export const groupLimit = (share: number): number => mostSquared * share * share;

/**
 * Whether the scaled gradient is certainly within its group's limit: a bound of Σ (g·scale)² in double precision, compared before anything is cut to
 * an integer. NaN is not.
 */
export const isCertified = (squaredSize: number, share: number): boolean =>
  squaredSize <= groupLimit(share) * certified;
