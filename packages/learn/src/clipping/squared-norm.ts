import { doubleAt } from "@lethe/core/numeric";

/**
 * Σ x² in double precision, in eight sums: the i-th takes every eighth entry from the i-th on; then those are added as
 * ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)). The order is part of what a kernel must reproduce. The relative error is below n·2^-53.
 * @example squaredNorm(Float32Array.of(3, 4)) // => 25
 */
export function squaredNorm(x: Float32Array): number {
  const sums = new Float64Array(8);
  for (let i = 0; i < x.length; i += 1) {
    const value = x[i] ?? Number.NaN;
    sums[i % 8] = doubleAt(sums, i % 8) + value * value;
  }
  const pair = (i: number): number => doubleAt(sums, i) + doubleAt(sums, i + 1);
  return pair(0) + pair(2) + (pair(4) + pair(6));
}
