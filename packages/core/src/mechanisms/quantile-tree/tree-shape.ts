import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { checkRange, type PublicRange } from "../geometric/public-range.ts";
import { type CountBudget, countNoise, countSensitivity } from "../histogram/index.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";
import { noiseEvent } from "../registry.ts";

/** A tree of noisy counts over a public range of integers. Plain public data. */
export interface QuantileTreeSetting {
  readonly range: PublicRange;
  /** Children of a node, from 2 to 1024. */
  readonly branching: number;
  /** Levels below the root, ≥ 1; there are branching^height leaves, at most 2^20. */
  readonly height: number;
  readonly adjacency: Adjacency;
  /** Rows that one unit has at most; 1 unless stated. */
  readonly rows?: bigint;
  /** The number of rows, where it is public and the same on neighbours (replace-one only): the root needs no noise then. */
  readonly knownRows?: bigint;
  readonly noise: Noise;
}

/** The most leaves of one tree. */
export const mostLeaves: number = 1 << 20;

/** The shape and the sensitivity that follow from a setting. */
export interface TreeShape {
  readonly leaves: number;
  /** Numbers of the range that share a leaf. */
  readonly leafWidth: bigint;
  /** Noisy levels: height + 1, or height where the number of rows is known. */
  readonly noisyLevels: number;
  /** The sensitivity of all noisy counts together. */
  readonly sensitivity: Sensitivity;
}

/** Errors: parameter.invalid for anything outside its domain. */
export function treeShape(setting: Omit<QuantileTreeSetting, "noise">): TreeShape {
  const { range, branching, height, adjacency, rows = 1n, knownRows } = setting;
  checkRange(range);
  if (!(Number.isInteger(branching) && branching >= 2 && branching <= 1024)) {
    throw invalidParameter("branching", branching, "an integer from 2 to 1024");
  }
  const leaves = branching ** height;
  if (!(Number.isInteger(height) && height >= 1 && leaves <= mostLeaves)) {
    throw invalidParameter("height", height, `an integer ≥ 1 with branching^height ≤ ${mostLeaves}`);
  }
  const known = knownRows !== undefined;
  if (known && !(typeof knownRows === "bigint" && knownRows >= 0n && adjacency === "replace-one")) {
    throw invalidParameter("knownRows", knownRows, "an integer ≥ 0, under replace-one alone");
  }
  const { l1, l2Squared } = countSensitivity({ adjacency, rows });
  const noisyLevels = known ? height : height + 1;
  const levels = BigInt(noisyLevels);
  const count = BigInt(leaves);
  return {
    leaves,
    leafWidth: (range.hi - range.lo + count) / count,
    noisyLevels,
    sensitivity: { l1: levels * l1, l2Squared: levels * l2Squared },
  };
}

/**
 * The tree with the noise of a budget: discrete Laplace for ε, rounded Gaussian for ρ or (ε, δ).
 * Errors: parameter.invalid.
 * @example quantileTreeFor({ range: { lo: 0n, hi: 65_535n }, branching: 16, height: 4, adjacency: "add-or-remove-one", budget: { rho: one } })
 */
export function quantileTreeFor(
  request: Omit<QuantileTreeSetting, "noise"> & { readonly budget: CountBudget },
): QuantileTreeSetting {
  const { budget, ...rest } = request;
  return { ...rest, noise: countNoise(treeShape(rest).sensitivity, budget) };
}

/**
 * Returns the event of the whole tree, however many quantiles and ranks are read from it: its ℓ1 sensitivity is the number of noisy
 * levels (twice that under replace-one), ℓ2² too, for units of one row.
 * Source: Hay, Rastogi, Miklau & Suciu 2010, Prop. 4; for vectors of integers, ./quantile-tree.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid.
 */
export function quantileTreeEvent(setting: QuantileTreeSetting): Event {
  return noiseEvent(setting.noise, treeShape(setting).sensitivity);
}
