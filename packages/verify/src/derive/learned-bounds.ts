import { noiseQuantile } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import { elementAt, lastElement } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { type Distance, isRowBounded } from "./sensitivity.ts";
import { rowsInGroup } from "./unit-range.ts";

type Stage = NonNullable<Plan["learned"]>["stages"][number];

/** The weight of one row in a count. */
const row = 2n ** 20n;

/**
 * Returns how far one unit moves the counts of a stage's cells. They are counts over all groups together, and a unit's rows weigh as one row; only
 * rows that are bounded before the filter weigh each by itself. No count of a unit is negative, so the distance between two units' counts, in ℓ1 and
 * in squared ℓ2, is at most the sum of their norms. Errors: RangeError when the plan contradicts itself.
 */
export function deriveStageSensitivity(plan: Plan): Distance {
  const most = isRowBounded(plan) ? row * rowsInGroup(plan) : row;
  const units = plan.adjacency === "replace-one" ? 2n : 1n;
  return { l1: units * most, l2Squared: units * most ** 2n };
}

interface Cell {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Returns the intervals whose values are counted: below the first end, between two ends, 0 by itself, above the last. */
function cellsOf({ ends, counts }: Stage): readonly Cell[] {
  const [least, greatest] = [elementAt(ends, 0), lastElement(ends)];
  const intervals: (readonly [number, number])[] = [[least, least]];
  for (const [at, end] of ends.entries()) {
    if (end === 0) intervals.push([0, 0]);
    const next = ends[at + 1];
    intervals.push(next === undefined ? [greatest, greatest] : [end, next]);
  }
  if (counts === null || counts.length !== intervals.length)
    throw new RangeError("learned bounds without a noisy count for each of their cells");
  return intervals.map(([low, high], at) => ({ low, high, count: elementAt(counts, at) }));
}

/**
 * Returns the bounds that the rule makes of a stage's noisy counts. They spread outwards from the fullest cell, and from each cell that no noise of
 * empty cells explains (but once in a million), while counts stay above what noise alone exceeds once in twenty. Errors: RangeError for counts that
 * are not those of the ends.
 */
export function deriveBounds(stage: Stage): readonly [number, number] {
  if (!(stage.ends.length >= 2)) throw new RangeError("bounds among fewer than two ends");
  const cells = cellsOf(stage);
  const quantile = (confidence: number): number => Number(noiseQuantile(stage.noise as Noise, confidence));
  const [sure, likely] = [quantile(1 - 1e-6 / cells.length), quantile(0.9)];
  const fullest = cells.reduce(
    (best, { count }, at) => (count > elementAt(cells, best).count ? at : best),
    0,
  );
  const reached = new Set<number>();
  const spread = (from: number, step: 1 | -1): void => {
    for (let at = from + step; (cells[at]?.count ?? Number.NEGATIVE_INFINITY) > likely; at += step)
      reached.add(at);
  };
  for (const [at, { count }] of cells.entries()) {
    if (at !== fullest && !(count > sure)) continue;
    reached.add(at);
    spread(at, 1);
    spread(at, -1);
  }
  const [low, high] = [
    Math.min(...[...reached].map((at) => elementAt(cells, at).low)),
    Math.max(...[...reached].map((at) => elementAt(cells, at).high)),
  ];
  if (low < high) return [low, high];
  const above = stage.ends.find((end) => end > low);
  return above === undefined ? [elementAt(stage.ends, stage.ends.length - 2), low] : [low, above];
}
