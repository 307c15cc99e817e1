import { elementAt } from "@lethe/core/numeric";

/**
 * Returns the place of the first number of a rising list that `isAbove`; the list's length where none is.
 * @example firstAbove(Float64Array.of(1, 2, 2, 5), (x) => x >= 2) // => 1
 */
export function firstAbove(rising: Float64Array, isAbove: (x: number) => boolean): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAbove(elementAt(rising, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
