import type { BitSource } from "@lethe/core";
import { doubleAt } from "@lethe/core/numeric";
import { uniform } from "./shuffle.ts";

/**
 * Splits a number of rows by weights into whole counts that add up to it: each is its share rounded down or up, and right on average. One coin decides: a
 * cell rounds up where the running sum of shares passes a whole number plus the coin (systematic sampling). All alike where no weight is above 0.
 * @example roundedCounts(Float64Array.of(1, 3), 8, bits) // => Int32Array [2, 6]
 */
export function roundedCounts(weights: Float64Array, rows: number, bits: BitSource): Int32Array {
  const positive = weights.map((weight) => (weight > 0 && Number.isFinite(weight) ? weight : 0));
  const sum = positive.reduce((a, b) => a + b, 0);
  const shares = sum > 0 ? positive : positive.fill(1);
  const total = sum > 0 ? sum : shares.length;
  const counts = new Int32Array(shares.length);
  const coin = uniform(bits);
  let [running, given] = [0, 0];
  let last = 0;
  for (let cell = 0; cell < shares.length; cell++) {
    const share = doubleAt(shares, cell);
    if (share > 0) last = cell;
    running += share;
    const upTo = Math.min(rows, Math.max(given, Math.floor((rows * running) / total + coin)));
    counts[cell] = upTo - given;
    given = upTo;
  }
  // Rounding of the last sum may leave a row over.
  counts[last] = (counts[last] ?? 0) + rows - given;
  return counts;
}
