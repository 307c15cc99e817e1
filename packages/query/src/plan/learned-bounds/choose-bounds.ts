import { noiseQuantile } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { cellInterval, cellTests } from "../../expressions/operators/bound-cells.ts";

/** Any of all empty cells passes for one that stands out by itself in no more than one question of a million. */
const strictMiss = 1e-6;
/** An empty cell beside one that is in passes for a part of it once in twenty. */
const looseConfidence = 0.9;

/**
 * Bounds from the noisy counts of cells, by a rule that is a function of them alone (and of the public ends and noise), so
 * post-processing. In is the cell of the largest count; every cell whose count the noise of empty cells all together exceeds
 * with probability 10⁻⁶ at most; and, from each of those outwards, cell after cell as long as the count is one that the noise of
 * an empty cell exceeds with probability 1/20 at most. The bounds are the hull of what is in, and where that is a point the cell
 * beside it too. Total: whatever the counts are, lo < hi, and both are ends.
 * @example chooseBounds([0, 1, 2, 4], [0, 9, 50, 41, 3, 0], { mechanism: "discrete-laplace@1", scale: "1" }) // => [0, 4]
 */
export function chooseBounds(
  ends: readonly number[],
  counts: readonly number[],
  noise: Noise,
): readonly [number, number] {
  const cells = cellTests(ends).length + 1;
  const at = (cell: number): number => counts[cell] ?? 0;
  const strict = Number(noiseQuantile(noise, 1 - strictMiss / cells));
  const loose = Number(noiseQuantile(noise, looseConfidence));
  let largest = 0;
  for (let cell = 1; cell < cells; cell += 1) if (at(cell) > at(largest)) largest = cell;
  let [first, last] = [largest, largest];
  for (let cell = 0; cell < cells; cell += 1) {
    if (!(at(cell) > strict || cell === largest)) continue;
    let [from, to] = [cell, cell];
    while (from > 0 && at(from - 1) > loose) from -= 1;
    while (to < cells - 1 && at(to + 1) > loose) to += 1;
    [first, last] = [Math.min(first, from), Math.max(last, to)];
  }
  const [lo, hi] = [cellInterval(first, ends)[0], cellInterval(last, ends)[1]];
  if (lo < hi) return [lo, hi];
  const place = ends.indexOf(lo);
  return place + 1 < ends.length ? [lo, elementAt(ends, place + 1)] : [elementAt(ends, place - 1), lo];
}
