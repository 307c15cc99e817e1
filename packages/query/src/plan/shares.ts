import { type Rational, ratio } from "@lethe/core";

/** Shares are multiples of 1/total with about this many parts to the largest: coarse, so that plans stay readable. */
const resolution = 1000;

/**
 * Splits a whole by weights, exactly: the shares are rationals that sum to at most 1 (to 1 unless all weights are 0).
 * A positive weight never gets nothing.
 * @example shares([2, 1, 0]) // => [2/3, 1/3, 0]
 */
export function shares(weights: readonly number[]): readonly Rational[] {
  const largest = Math.max(...weights, 0);
  const parts = weights.map((weight) =>
    weight > 0 ? Math.max(1, Math.round((weight / largest) * resolution)) : 0,
  );
  const total = BigInt(parts.reduce((sum, part) => sum + part, 0));
  return parts.map((part) => (total === 0n ? ratio(0n) : ratio(BigInt(part), total)));
}
