import { leastTrue } from "../../conversions/search/search.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import type { KeyValue } from "../../exact/exact-rows.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { deltaText, laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { laplaceThresholdDelta } from "../group-selection/laplace-threshold.ts";
import { countSensitivity } from "../histogram/counted-units.ts";
import { canonicalKey, compareKeys } from "../key-order.ts";

/** Counts of units by a key that is data itself: one draw a key decides whether it is shown, and is its noise. Public. */
export interface SparseHistogramSetting {
  readonly adjacency: Adjacency;
  /** Keys whose count one unit can be part of; it adds 1 to each. */
  readonly keys: bigint;
  /** The scale of the discrete Laplace noise: an exact text. */
  readonly scale: string;
  /** A key is shown where count + noise ≥ threshold; ≥ 1. */
  readonly threshold: bigint;
}

/** The number of units of one key. */
export interface KeyCount {
  readonly key: readonly KeyValue[];
  readonly units: bigint;
}

interface Checked {
  readonly scale: Rational;
  /** Counts that two neighbours differ in, each by one. */
  readonly changed: bigint;
}

function checked(setting: SparseHistogramSetting): Checked {
  const changed = countSensitivity({ adjacency: setting.adjacency, rows: setting.keys, rowsPerCell: 1n }).l1;
  const scale = parseRational(setting.scale, "scale");
  checkPositive("scale", scale);
  if (!(typeof setting.threshold === "bigint" && setting.threshold >= 1n)) {
    throw invalidParameter("threshold", setting.threshold, "an integer ≥ 1");
  }
  return { scale, changed };
}

/**
 * The threshold that costs (ε, δ): scale = changed/ε, and the least integer threshold whose chance to show a key of a single unit
 * is at most δ/changed; changed is keys, or 2·keys under replace-one.
 * Errors: parameter.invalid unless ε > 0, 0 < δ < 1, keys ≥ 1.
 * @example sparseHistogramFor({ adjacency: "add-or-remove-one", keys: 1n, epsilon: one, delta: parseRational("1e-6") }).threshold // => 15n
 */
export function sparseHistogramFor(request: {
  readonly adjacency: Adjacency;
  readonly keys: bigint;
  readonly epsilon: Rational;
  readonly delta: Rational;
}): SparseHistogramSetting {
  const { adjacency, keys, epsilon, delta } = request;
  checkPositive("epsilon", epsilon);
  if (!(compare(delta, zero) > 0 && compare(delta, one) < 0)) {
    throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  }
  const { l1: changed } = countSensitivity({ adjacency, rows: keys, rowsPerCell: 1n });
  const scale = divide(ratio(changed), epsilon);
  const each = divide(delta, ratio(changed));
  const guess = -toDouble(scale, "up") * Math.log(toDouble(each, "down"));
  const start = guess < 2 ** 60 ? BigInt(Math.floor(guess)) : 1n << 60n;
  const below = leastTrue(start, (k) => compare(laplaceThresholdDelta(scale, k + 1n), each) <= 0);
  return { adjacency, keys, scale: toText(scale), threshold: below + 1n };
}

/**
 * Returns the event of the sparse histogram: (changed/scale, changed·P[1 + Z ≥ threshold])-DP, δ from the mass function and the
 * comparison (≥) that are used, rounded up at a relative 2^−60.
 * Source: Korolova, Kenthapadi, Mishra & Ntoulas 2009; exact in integers, ./sparse-histogram.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid.
 */
export function sparseHistogramEvent(setting: SparseHistogramSetting): EventOf<"approximate"> {
  const { scale, changed } = checked(setting);
  const delta = multiply(ratio(changed), laplaceThresholdDelta(scale, setting.threshold));
  return {
    kind: "approximate",
    version: 1,
    epsilon: toText(divide(ratio(changed), scale)),
    delta: deltaText(delta),
    of: "sparse-histogram",
  };
}

/**
 * The keys whose noisy count reaches the threshold, with that noisy count, in the order of the keys. Keys without a unit are never
 * shown. Total: one key given twice counts with its sum.
 * Errors: parameter.invalid, of the setting alone.
 */
export function releaseSparseHistogram(
  setting: SparseHistogramSetting,
  counts: readonly KeyCount[],
  bits: BitSource,
): KeyCount[] {
  const noise = discreteLaplace(checked(setting).scale);
  return sparseHistogramWith(setting.threshold, counts, () => noise.sample(bits));
}

/** The same from given draws: what the tests enumerate. */
export function sparseHistogramWith(
  threshold: bigint,
  counts: readonly KeyCount[],
  draw: () => bigint,
): KeyCount[] {
  const present = new Map<string, KeyCount>();
  for (const { key, units } of counts) {
    const name = canonicalKey(key);
    const before = present.get(name)?.units ?? 0n;
    present.set(name, { key, units: before + (typeof units === "bigint" ? units : 0n) });
  }
  return [...present.values()]
    .filter(({ units }) => units >= 1n)
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ key, units }) => ({ key: [...key], units: units + draw() }))
    .filter(({ units }) => units >= threshold);
}

/**
 * r such that for each key P[it is shown and its true count is further than r from what is shown] ≤ alpha.
 * Source: Dwork & Roth 2014, Fact 3.7, from the mass function that is drawn.
 * Direction: exact.
 * Errors: parameter.invalid unless 0 < alpha < 1.
 */
export function sparseHistogramErrorBound(setting: SparseHistogramSetting, alpha: Rational): bigint {
  return laplaceErrorBound(checked(setting).scale, alpha);
}
